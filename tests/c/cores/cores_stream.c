/* Two cores in one stream, a core id out of range, a transport that refuses at a change of core. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

static void on(uint32_t core, uint64_t now) {
  fake_core = core;
  fake_now = now;
}

int main(void) {
  on(0, 1);
  tband_isr_name(10, "of 0");
  on(1, 2);
  tband_isr_name(11, "of 1");
  CHECK_EQ(tband_start_streaming(), 0);
  CHECK(!tband_tracing_backend_finished(0));
  CHECK(!tband_tracing_backend_finished(1));
  on(1, 100);
  tband_isr_enter(1);
  on(1, 101);
  tband_isr_enter(2);
  on(0, 102);
  tband_isr_enter(3);
  on(1, 103);
  tband_evtmarker_name(4, "live");
  on(2, 104); /* out of range counts as core 0: the first that is, and others */
  tband_isr_enter(5);
  on(7, 104);
  tband_isr_enter(5);
  on(UINT32_MAX, 105);
  tband_isr_enter(6);
  fake_refuses = true;
  on(1, 106);
  tband_isr_enter(7);
  fake_refuses = false;
  on(1, 107);
  tband_isr_enter(8);
  CHECK_EQ(tband_get_dropped_evt_cnt(), 1);

  on(0, 200);
  CHECK_EQ(tband_stop_streaming(), 0);
  CHECK(tband_tracing_finished());
  on(0, 201);
  CHECK_EQ(tband_restart_streaming(), 0);
  on(1, 202);
  tband_isr_enter(9);
  CHECK_EQ(tband_stop_streaming(), 0);
  on(0, 300);
  CHECK_EQ(tband_start_streaming(), 0);
  CHECK_EQ(tband_stop_streaming(), 0);
  CHECK(tband_get_metadata_buf(1) != NULL);
  CHECK(tband_get_metadata_buf(2) == NULL);
  CHECK_EQ(tband_get_metadata_buf_amnt(2), 0);
  CHECK_EQ(tband_get_metadata_dropped_cnt(2), 0);
  CHECK_EQ(tband_get_metadata_buf_amnt(0), 8);
  CHECK_EQ(tband_get_metadata_buf_amnt(1), 16);
  fake_print_sent();
  return 0;
}
