/* A short script of events, the same for every backend; the test has the bytes that must come out.
 * Writes metadata buffer and snapshot buffer, the stream, or what the external backend was given. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

#if tband_configUSE_BACKEND_EXTERNAL
bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata) {
  const uint8_t flag = is_metadata ? 'M' : 'E';
  fake_print(&flag, 1);
  fake_print(buf, len);
  return false;
}
#endif

int main(void) {
  fake_now = 1000;
  tband_gather_system_metadata();
  tband_isr_name(3, "UART");
#if tband_configUSE_BACKEND_STREAMING
  CHECK_EQ(tband_start_streaming(), 0);
#elif tband_configUSE_BACKEND_SNAPSHOT
  CHECK_EQ(tband_trigger_snapshot(), 0);
#endif
  tband_isr_enter(3);
  fake_now = 1300;
  tband_evtmarker(7, "hi");
  tband_valmarker(0, -5);
  fake_now = UINT64_C(1) << 35;
  tband_isr_exit(3);
#if tband_configUSE_BACKEND_STREAMING
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print_sent();
#elif tband_configUSE_BACKEND_SNAPSHOT
  CHECK_EQ(tband_stop_snapshot(), 0);
  fake_print(tband_get_metadata_buf(0), tband_get_metadata_buf_amnt(0));
  fake_print(tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
#endif
  return 0;
}
