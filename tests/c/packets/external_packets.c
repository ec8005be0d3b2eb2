/* The external backend with packets: each closed one goes to the user's function, with nothing to start. The argument
 * is the action of that function: "refuse" some, or "record". Writes the packets that it took. */
#include <string.h>

#include "check.h"
#include "fake_port.h"
#include "tband.h"

static const char *what;
static uint32_t packets; /* of events */

bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata) {
  CHECK((len >= 36U) && (buf[0] == 0xC1));
  CHECK_EQ(is_metadata, buf[4] == 0xFF);
  CHECK(!is_metadata || (packets == 0U)); /* before all others */
  packets += is_metadata ? 0U : 1U;
  const bool refused = (strcmp(what, "refuse") == 0) && ((packets == 3U) || (packets == 4U));
  if (!refused) {
    fake_print(buf, len);
  }
  if (strcmp(what, "record") == 0) {
    tband_valmarker(7, 7);
    tband_flush();
  }
  return refused;
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  what = argv[1];
  fake_nests = true;
  /* Tonbandgeraet's answers: nothing was started. */
  CHECK(!tband_tracing_enabled());
  CHECK(tband_tracing_finished());
  CHECK(tband_tracing_backend_finished(0));
  fake_now = 4;
  tband_flush();
  tband_keep_time();
  CHECK_EQ(fake_starts, 0);
  tband_isr_name(1, "one");
  tband_isr_enter(1);
  tband_isr_exit(1);
  CHECK_EQ(fake_starts, 1);
  for (int64_t value = 0; value < 400; value++) {
    fake_now += 10;
    tband_valmarker(3, value);
  }
  tband_flush();
  CHECK_EQ(fake_starts, 1);
  CHECK(!tband_tracing_enabled());
  CHECK(tband_tracing_finished());
  fprintf(stderr, "%u\n", (unsigned)tband_get_dropped_evt_cnt());
  return 0;
}
