/* Every function that records, once, between start and stop, with values at the ends of their types.
 * The FreeRTOS functions are no-ops here and must record nothing. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

int main(void) {
  CHECK_EQ(tband_start_streaming(), 0);
  fake_step = 1;
  tband_gather_system_metadata();
  tband_isr_name(0, "isr");
  tband_isr_enter(0);
  tband_isr_exit(UINT32_MAX);
  tband_evtmarker_name(127, "marker");
  tband_evtmarker(128, "at");
  tband_evtmarker_begin(16383, "from");
  tband_evtmarker_end(16384);
  tband_valmarker_name(1, "value");
  tband_valmarker(1, INT64_MIN);
  tband_valmarker(1, INT64_MAX);
  tband_valmarker(1, 0);
  tband_valmarker(1, -1);
  fake_now = UINT64_MAX;
  fake_step = 0;
  tband_isr_enter(1);

  tband_freertos_scheduler_started();
  tband_freertos_queue_name(NULL, "q");
  tband_freertos_binary_semaphore_name(NULL, "q");
  tband_freertos_counting_semaphore_name(NULL, "q");
  tband_freertos_mutex_name(NULL, "q");
  tband_freertos_recursive_mutex_name(NULL, "q");
  tband_freertos_task_evtmarker_name(1, "t");
  tband_freertos_task_evtmarker(1, "t");
  tband_freertos_task_evtmarker_begin(1, "t");
  tband_freertos_task_evtmarker_end(1);
  tband_freertos_task_valmarker_name(1, "t");
  tband_freertos_task_valmarker(1, 1);
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print_sent();
  return 0;
}
