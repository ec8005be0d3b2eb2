/* Return values, states and amounts of the snapshot backend, in every order. Writes the buffer as it
 * was after two recordings after each other. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

static void expect(bool recording, size_t amount) {
  CHECK(tband_tracing_enabled() == recording);
  CHECK(tband_tracing_finished() == !recording);
  CHECK(tband_tracing_backend_finished(0) == !recording);
  CHECK_EQ(tband_get_core_snapshot_buf_amnt(0), amount);
}

int main(void) {
  CHECK(tband_get_core_snapshot_buf(0) != NULL);
  CHECK(tband_get_core_snapshot_buf(1) == NULL);
  CHECK(tband_get_core_snapshot_buf(UINT32_MAX) == NULL);
  CHECK_EQ(tband_get_core_snapshot_buf_amnt(1), 0);
  CHECK_EQ(tband_get_core_snapshot_buf_amnt(UINT32_MAX), 0);
  CHECK(tband_tracing_backend_finished(1));
  expect(false, 0);
  CHECK_EQ(tband_stop_snapshot(), -1);
  CHECK_EQ(tband_reset_snapshot(), 0); /* an empty one may be reset */
  tband_isr_enter(1);
  expect(false, 0);

  CHECK_EQ(tband_trigger_snapshot(), 0);
  expect(true, 0);
  fake_now = 5;
  tband_isr_enter(2); /* frames of 5 bytes: code, id, ts, number, zero */
  expect(true, 0);
  CHECK_EQ(tband_trigger_snapshot(), -1);
  CHECK_EQ(tband_reset_snapshot(), -1);
  CHECK_EQ(tband_stop_snapshot(), 0);
  expect(false, 5);
  CHECK_EQ(tband_stop_snapshot(), -1);
  tband_isr_enter(3);
  expect(false, 5);

  CHECK_EQ(tband_trigger_snapshot(), 0); /* appends to it */
  fake_now = 6;
  tband_isr_exit(2);
  CHECK_EQ(tband_stop_snapshot(), 0);
  expect(false, 10);
  fake_print(tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));

  CHECK_EQ(tband_reset_snapshot(), 0);
  expect(false, 0);
  CHECK_EQ(tband_reset_snapshot(), 0);

  /* When full it stops automatically, and can be used again after a reset. */
  for (uint32_t round = 1; round <= 3; round++) {
    CHECK_EQ(tband_trigger_snapshot(), 0);
    uint32_t events = 0;
    while (tband_tracing_enabled()) {
      CHECK_EQ(fake_fulls, round - 1);
      tband_isr_enter(7);
      events++;
    }
    CHECK_EQ(fake_fulls, round);
    tband_isr_enter(8);
    CHECK_EQ(fake_fulls, round);
    expect(false, (size_t)(5U * (events - 1U)));
    CHECK_EQ(tband_stop_snapshot(), -1);
    /* A full buffer may be triggered again and is full again. */
    CHECK_EQ(tband_trigger_snapshot(), 0);
    CHECK_EQ(tband_stop_snapshot(), 0);
    CHECK_EQ(tband_reset_snapshot(), 0);
  }
  CHECK_EQ(tband_get_dropped_evt_cnt(), 0);
  CHECK_EQ(fake_calls, 0);
  return 0;
}
