/* A port that refuses what goes before the events: a start returns -2 and recording stays off, so that the
 * usual loop ends once there is room; a restart, which has nothing to lose, is never refused.
 * Arguments: start or restart, and how many pieces the port refuses. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

int main(int argc, char **argv) {
  CHECK_EQ(argc, 3);
  tband_isr_name(1, "one");
  tband_isr_name(2, "two");
  fake_refuses_for = (uint32_t)atoi(argv[2]);
  fake_now = 4;
  int result = -2;
  uint32_t tries = 0;
  const bool restarts = strcmp(argv[1], "restart") == 0;
  do {
    CHECK_EQ(result, -2);
    CHECK(!tband_tracing_enabled());
    CHECK(tband_tracing_finished());
    CHECK_EQ(tband_stop_streaming(), -1);
    tband_isr_enter(9); /* not recorded, nor counted */
    result = restarts ? tband_restart_streaming() : tband_start_streaming();
    tries++;
  } while (result != 0);
  CHECK(tries <= 1 + fake_refused);
  CHECK(tband_tracing_enabled());
  CHECK_EQ(tband_start_streaming(), -1);
  CHECK_EQ(tband_restart_streaming(), -1);
  /* All that a start was refused has been sent again. */
  CHECK_EQ(tband_get_dropped_evt_cnt(), (restarts && (fake_refused > 0)) ? 1 : 0);
  fake_now = 9;
  tband_isr_enter(1);
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print_sent();
  return 0;
}
