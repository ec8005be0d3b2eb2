/* Events of one layout, which the argument names, with the longest values, until the snapshot buffer is
 * full; guards.c sees that nothing is written after it. Writes the buffer. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  const char *const layout = argv[1];
  const uint32_t most = UINT32_MAX;
  const uint32_t numbers[5] = {most, most, most, most, most};
  fake_now = UINT64_MAX;
  CHECK_EQ(tband_trigger_snapshot(), 0);
  int count = 0;
  while (tband_tracing_enabled()) {
    if (strcmp(layout, "u32") == 0) {
      tband_record_u32(TBAND_EVT_U32_ISR_ENTER, most);
    } else if (strcmp(layout, "u32_u32") == 0) {
      tband_record_u32_u32(TBAND_EVT_U32_U32_QUEUE_SEND, most, most);
    } else if (strcmp(layout, "u32_s64") == 0) {
      tband_valmarker(most, INT64_MAX);
    } else if (strcmp(layout, "u32_str") == 0) {
      tband_evtmarker(most, "a text of twenty let");
    } else {
      tband_record_numbers(TBAND_EVT_U32_ISR_ENTER, 5, numbers);
    }
    CHECK(count++ < 100);
  }
  CHECK_EQ(fake_fulls, 1);
  fake_print(tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
  return 0;
}
