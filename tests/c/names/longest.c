/* A text and a name that are longer than the longest string. No byte is zero, and the time is the longest. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

int main(void) {
  static char text[tband_configMAX_STR_LEN + 2];
  memset(text, 'a', sizeof(text) - 1);
  fake_now = UINT64_MAX;
  CHECK_EQ(tband_start_streaming(), 0);
  tband_evtmarker(UINT32_MAX, text);
  tband_evtmarker_name(UINT32_MAX, text);
  CHECK_EQ(tband_stop_streaming(), 0);
  CHECK_EQ(tband_get_dropped_evt_cnt(), 0);
  fake_print_sent();
  return 0;
}
