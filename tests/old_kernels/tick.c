/* The lower half of the timer wraps during ticks while nothing is recorded; then one event. */
#include "FreeRTOS.h"
#include "task.h"

#include "../c/check.h"
#include "../c/fake_port/fake_port.h"

int main(void) {
  const uint64_t ticks[] = {0xFFFFFFF0U, 0x100000010U, 0x180000000U};
  for (size_t at = 0; at < sizeof(ticks) / sizeof(ticks[0]); at++) {
    fake_now = ticks[at];
    vTaskIncrementTick();
  }
  fake_now = 0x200000020U;
  CHECK_EQ(tband_start_streaming(), 0);
  tband_evtmarker_end(1);
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print_sent();
  return 0;
}
