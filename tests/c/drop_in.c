/* Records through a port in the style of Tonbandgeraet's documentation, from a task and from an
 * interrupt of a make-believe kernel. */
#include "FreeRTOS.h"
#include "check.h"
#include "tband.h"

int main(void) {
  CHECK_EQ(tband_start_streaming(), 0);
  kernel_in_interrupt = 1;
  tband_isr_enter(1);
  kernel_in_interrupt = 0;
  tband_evtmarker(2, "task");
  CHECK_EQ(tband_stop_streaming(), 0);
  CHECK_EQ(kernel_task_sections, 3); /* start, event, stop */
  CHECK_EQ(kernel_interrupt_sections, 1);
  stream_print();
  return 0;
}
