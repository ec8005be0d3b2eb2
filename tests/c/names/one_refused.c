/* A port of 400 MHz that refuses one piece of a stream, the one whose number is the argument. A start that returns -2
 * is made again. Then an interrupt each 1000 ns, with its number counting up. Writes how often the stream was started
 * and what the port took. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

static uint32_t number;

static void refuse_one(void) { fake_refuses_for = (fake_calls == number) ? 1 : 0; }

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  number = (uint32_t)atoi(argv[1]);
  fake_hz = 400000000;
  fake_now = 1000;
  fake_nests = true;
  fake_while_sending = &refuse_one;
  tband_isr_name(1, "one");
  tband_evtmarker_name(2, "two");
  uint32_t starts = 1;
  while (tband_start_streaming() == -2) {
    CHECK(!tband_tracing_enabled());
    CHECK(starts <= fake_refused);
    starts++;
    fake_now += 400;
  }
  CHECK(tband_tracing_enabled());
  for (uint32_t isr = 0; isr < 200; isr++) {
    fake_now += 400;
    tband_isr_enter(isr);
  }
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print_sent();
  fprintf(stderr, "%u %u\n", (unsigned)starts, (unsigned)fake_refused);
  return 0;
}
