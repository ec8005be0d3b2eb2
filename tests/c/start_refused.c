/* A port that refuses what goes ahead of the events: start returns -2, recording is on, and every
 * frame that was refused is counted. Argument: restart, all, or nothing of these. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  tband_isr_name(1, "one");
  tband_isr_name(2, "two");
  fake_refuses = true;
  if (strcmp(argv[1], "restart") == 0) {
    /* It sends no metadata, so there is nothing to be -2 about; the refused frame counts. */
    CHECK_EQ(tband_restart_streaming(), 0);
    CHECK_EQ(tband_get_dropped_evt_cnt(), 1); /* core_id */
  } else {
    CHECK_EQ(tband_start_streaming(), -2);
    /* core_id, two names, core_id, ts_resolution_ns, trace_info */
    CHECK_EQ(tband_get_dropped_evt_cnt(), 6);
  }
  CHECK(tband_tracing_enabled());
  CHECK_EQ(tband_start_streaming(), -1);
  fake_refuses = false;
  fake_now = 9;
  tband_isr_enter(1);
  CHECK_EQ(tband_stop_streaming(), 0);
  /* The metadata is still there for the next start. */
  CHECK_EQ(tband_start_streaming(), 0);
  fake_print_sent();
  return 0;
}
