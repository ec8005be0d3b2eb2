/* Starts, stops and starts again: no timestamp of the core may be below one before it. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

int main(void) {
  tband_isr_name(1, "one");
  fake_now = 5000;
  fake_step = 1;
  for (int round = 0; round < 3; round++) {
    CHECK_EQ(tband_start_streaming(), 0);
    tband_isr_enter(1);
    CHECK_EQ(tband_stop_streaming(), 0);
    CHECK_EQ(tband_restart_streaming(), 0);
    tband_isr_exit(1);
    CHECK_EQ(tband_stop_streaming(), 0);
  }
  fake_print_sent();
  return 0;
}
