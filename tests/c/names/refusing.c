/* A transport that refuses data now and then. Every event carries its number, so that the reader can
 * tell which are missing; the last ones get through. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

enum { EVENTS = 1000 };

int main(void) {
  fake_step = 3;
  CHECK_EQ(tband_start_streaming(), 0);
  for (uint32_t number = 0; number < EVENTS; number++) {
    /* Refuses windows of many and of single events; drop counters come due in these windows, too. */
    fake_refuses = (number < EVENTS - 10) && (((number / 70) % 2 == 1) || (number % 11 == 5));
    if (number % 10 == 3) {
      tband_isr_name(number, "name");
    } else if (number % 10 == 7) {
      tband_evtmarker(number, "text");
    } else {
      tband_isr_enter(number);
    }
  }
  CHECK(fake_refused > 100);
  /* One refused call, one dropped event: drop counters are not events. */
  CHECK_EQ(tband_get_dropped_evt_cnt(), fake_refused);
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print_sent();
  return 0;
}
