/* What the hooks ask of the file after them, called as the kernel's macros call it: objects that are not
 * there, and the running task for recordings that start late. Prints the stream. */
#include "../c/check.h"
#include "../c/fake_port/fake_port.h"
#include "FreeRTOS.h"
#include "queue.h"
#include "task.h"
#include "tband.h"

int main(void) {
  CHECK_EQ(tband_freertos_queue_number(NULL), 0);
  CHECK_EQ(tband_freertos_stream_buffer_number(NULL), 0);
  CHECK_EQ(tband_freertos_event_group_number(NULL), 0);
  CHECK_EQ(tband_freertos_timer_number(NULL), 0);
  for (int recording = 0; recording < 2; recording++) {
    /* Switches to the task that runs already are reported once in a recording. */
    tband_freertos_yielded_to(7);
    CHECK_EQ(tband_start_streaming(), 0);
    tband_freertos_yielded_to(7);
    tband_freertos_yielded_to(7);
    tband_freertos_yielded_to(8);
    tband_freertos_yielded_to(7);
    CHECK_EQ(tband_stop_streaming(), 0);
  }
  fake_print_sent();
  return 0;
}
