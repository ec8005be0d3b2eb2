/* Snapshot and metadata buffers of any small size, filled with long frames: nothing is written behind
 * them, the full callback runs once, and what fitted is whole frames. Includes the shim to look behind
 * its buffers. Writes the metadata buffer, then the snapshot buffer. */
#include "tband_shim.c"

#include "check.h"

__attribute__((no_sanitize("address"))) static void expect_untouched(const uint8_t *after) {
  for (int at = 0; at < 32; at++) {
    CHECK_EQ(after[at], 0);
  }
}

int main(void) {
  fake_now = UINT64_MAX;
  CHECK_EQ(tband_trigger_snapshot(), 0);
  uint32_t number = 0;
  while (tband_tracing_enabled()) {
    tband_isr_name(number, "a name of 20 letters");
    tband_evtmarker(UINT32_MAX, "a text of 20 letters");
    tband_valmarker(UINT32_MAX, INT64_MAX);
    tband_isr_enter(number++);
    CHECK(number < 100);
  }
  CHECK_EQ(fake_fulls, 1);
  tband_evtmarker(1, "too late");
  tband_isr_exit(1);
  CHECK_EQ(fake_fulls, 1);
  CHECK_EQ(tband_stop_snapshot(), -1);
  CHECK(tband_tracing_finished());
  expect_untouched(&tband_snapshot_bufs[0][sizeof(tband_snapshot_bufs[0])]);
  expect_untouched(&tband_metadata_bufs[0][sizeof(tband_metadata_bufs[0])]);
  CHECK(tband_get_core_snapshot_buf_amnt(0) <= sizeof(tband_snapshot_bufs[0]));
  CHECK(tband_get_metadata_buf_amnt(0) <= sizeof(tband_metadata_bufs[0]));
  fake_print(tband_get_metadata_buf(0), tband_get_metadata_buf_amnt(0));
  fake_print(tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
  return 0;
}
