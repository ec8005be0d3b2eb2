/* Ten events in one recording, three in the next: where are the drop counters? */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

int main(void) {
  fake_now = 1;
  CHECK_EQ(tband_start_streaming(), 0);
  for (uint32_t number = 0; number < 10; number++) {
    tband_isr_enter(number);
  }
  CHECK_EQ(tband_stop_streaming(), 0);
  CHECK_EQ(tband_restart_streaming(), 0);
  for (uint32_t number = 10; number < 13; number++) {
    tband_isr_enter(number);
  }
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print_sent();
  return 0;
}
