/* A clock that changes before, in and between recordings. Writes the recording: the frames in their
 * order for the external backend and the stream, the buffer for the snapshot backend. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

#if tband_configUSE_BACKEND_EXTERNAL
bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata) {
  (void)is_metadata;
  fake_print(buf, len);
  return false;
}
#define START() (tband_gather_system_metadata(), 0)
#define STOP() 0
#elif tband_configUSE_BACKEND_SNAPSHOT
#define START() tband_trigger_snapshot()
#define STOP() tband_stop_snapshot()
#else
#define START() tband_start_streaming()
#define STOP() tband_stop_streaming()
#endif

int main(void) {
  fake_hz = 64000000;
  fake_now = 1000;
#if !tband_configUSE_BACKEND_EXTERNAL
  /* Nothing is recorded, so there is nothing to report. */
  tband_timestamp_frequency_changed();
  CHECK_EQ(fake_starts, 0);
#endif
  CHECK_EQ(START(), 0);
#ifdef tband_portTIMESTAMP_START
  CHECK_EQ(fake_starts, 1);
#endif
  tband_isr_enter(1);
#if !tband_configUSE_BACKEND_EXTERNAL
  /* A start that is refused reports nothing. */
  CHECK_EQ(START(), -1);
#endif
  fake_now = 2000;
  fake_hz = 180000000;
  tband_timestamp_frequency_changed();
  tband_isr_exit(1);
  CHECK_EQ(STOP(), 0);
  fake_now = 3000;
  fake_hz = 2400000000U;
#if tband_configUSE_BACKEND_STREAMING
  CHECK_EQ(tband_restart_streaming(), 0);
#else
  CHECK_EQ(START(), 0);
#endif
  tband_isr_enter(2);
  CHECK_EQ(STOP(), 0);
#if tband_configUSE_BACKEND_STREAMING
  fake_print_sent();
#elif tband_configUSE_BACKEND_SNAPSHOT
  fake_print(tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
#endif
  return 0;
}
