/* Value markers of the true time, with pauses in between. The first argument is the time of the start in ticks, each of
 * the others a pause in ticks, with or without a letter in front. 'n': the time is kept every now and then during the
 * pause; 's': the core sleeps, with the calls that the kernel's hooks make; 'i': like 's', and an interrupt comes
 * before the end is reported; 'r': recording is off during the pause; 'f': a flush closes the packet after it; 't': a
 * tick does. The recording stops after 'e'. The next core continues after each pause. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fake_port.h"
#include "tband.h"

#if defined(tband_portNUMBER_OF_CORES)
#define CORES tband_portNUMBER_OF_CORES
#else
#define CORES 1U
#endif

static void mark(void) { tband_valmarker(1, (int64_t)fake_now); }

/* As a tick or a slow timer does it, on the first core. */
static void keep(uint64_t pause) {
  const uint32_t core = fake_core;
  fake_core = 0;
  while (pause > 0U) {
    const uint64_t step = (pause < KEPT_EVERY) ? pause : KEPT_EVERY;
    fake_now += step;
    pause -= step;
    tband_keep_time();
  }
  fake_core = core;
}

static void sleep(uint64_t pause, bool is_interrupted) {
  TBAND_RECORD_U32(LOW_POWER_IDLE_BEGIN, UINT32_MAX);
  tband_flush();
  fake_now += pause;
  if (is_interrupted) {
    mark();
  }
  tband_keep_time();
  TBAND_RECORD_NOTHING(LOW_POWER_IDLE_END);
}

static void print_all(void) {
  uint8_t bytes[512];
  size_t len;
  while ((len = tband_stream_read(bytes, sizeof(bytes))) != 0U) {
    fake_print(bytes, len);
  }
}

int main(int argc, char **argv) {
  CHECK(argc > 1);
  fake_now = strtoull(argv[1], NULL, 10);
  tband_keep_time();
  CHECK_EQ(tband_start_streaming(), 0);
  for (int at = 2; at < argc; at++) {
    const char *text = argv[at];
    const char how = *text;
    const uint64_t pause = strtoull(text + ((how < '0') || (how > '9')), NULL, 10);
    if (how == 'n') {
      keep(pause);
    } else if ((how == 's') || (how == 'i')) {
      sleep(pause, how == 'i');
    } else if (how == 'r') {
      CHECK_EQ(tband_stop_streaming(), 0);
      fake_now += pause;
      CHECK_EQ(tband_start_streaming(), 0);
    } else {
      fake_now += pause;
      if (how == 'f') {
        tband_flush();
      } else if (how == 't') {
        tband_keep_time();
      } else if (how == 'e') {
        break;
      }
    }
    fake_core = (fake_core + 1U) % CORES;
    mark();
    print_all();
  }
  CHECK_EQ(tband_stop_streaming(), 0);
  print_all();
  return 0;
}
