/* Return values and states of the streaming backend's control functions, in every order. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

static void expect_off(void) {
  CHECK(!tband_tracing_enabled());
  CHECK(tband_tracing_finished());
  CHECK(tband_tracing_backend_finished(0));
  CHECK(tband_tracing_backend_finished(1));
  CHECK(tband_tracing_backend_finished(UINT32_MAX));
}

static void expect_on(void) {
  CHECK(tband_tracing_enabled());
  CHECK(!tband_tracing_finished());
  CHECK(!tband_tracing_backend_finished(0));
}

int main(void) {
  expect_off();
  CHECK_EQ(tband_stop_streaming(), -1);

  /* Nothing is sent while it is off. */
  tband_isr_enter(1);
  tband_evtmarker(1, "lost");
  CHECK_EQ(fake_calls, 0);

  CHECK_EQ(tband_start_streaming(), 0);
  expect_on();
  tband_isr_enter(2);
  const uint32_t calls = fake_calls;
  CHECK_EQ(tband_start_streaming(), -1);
  CHECK_EQ(tband_restart_streaming(), -1);
  expect_on();
  CHECK_EQ(fake_calls, calls); /* a refused start sends nothing */

  CHECK_EQ(tband_stop_streaming(), 0);
  expect_off();
  CHECK_EQ(tband_stop_streaming(), -1);
  tband_isr_enter(3);
  CHECK_EQ(fake_calls, calls);

  CHECK_EQ(tband_restart_streaming(), 0);
  expect_on();
  CHECK_EQ(tband_start_streaming(), -1);
  CHECK_EQ(tband_restart_streaming(), -1);
  tband_isr_enter(4);
  CHECK_EQ(tband_stop_streaming(), 0);
  CHECK_EQ(tband_start_streaming(), 0);
  tband_isr_enter(5);
  CHECK_EQ(tband_stop_streaming(), 0);
  expect_off();

  CHECK_EQ(tband_get_dropped_evt_cnt(), 0);
  CHECK_EQ(tband_get_metadata_dropped_cnt(0), 0);
  CHECK_EQ(tband_get_metadata_dropped_cnt(1), 0);
  CHECK_EQ(tband_get_metadata_dropped_cnt(UINT32_MAX), 0);
  CHECK(tband_get_metadata_buf(0) != NULL);
  CHECK(tband_get_metadata_buf(1) == NULL);
  CHECK(tband_get_metadata_buf(UINT32_MAX) == NULL);
  CHECK_EQ(tband_get_metadata_buf_amnt(0), 0);
  CHECK_EQ(tband_get_metadata_buf_amnt(1), 0);
  CHECK_EQ(tband_get_metadata_buf_amnt(UINT32_MAX), 0);
  fake_print_sent();
  return 0;
}
