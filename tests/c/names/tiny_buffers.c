/* Snapshot and metadata buffers of any small size, filled with long frames: the full callback runs once,
 * and what fitted is whole frames; guards.c sees that nothing is written after them. Writes the metadata
 * buffer, then the snapshot buffer. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

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
  CHECK(tband_get_core_snapshot_buf_amnt(0) <= tband_configBACKEND_SNAPSHOT_BUF_SIZE);
  CHECK(tband_get_metadata_buf_amnt(0) <= tband_configMETADATA_BUF_SIZE);
  fake_print(tband_get_metadata_buf(0), tband_get_metadata_buf_amnt(0));
  fake_print(tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
  return 0;
}
