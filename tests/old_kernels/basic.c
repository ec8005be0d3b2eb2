/* Tasks and queues of the mock kernel in the two classes that every version has. Prints the stream. */
#include "../c/check.h"
#include "../c/fake_port/fake_port.h"
#include "FreeRTOS.h"
#include "queue.h"
#include "task.h"
#include "tband.h"
#include "timers.h"

TaskHandle_t xTimerGetTimerDaemonTaskHandle(void) { return xTaskGetCurrentTaskHandle(); }

/* As the application's handlers call them: with the class off, nothing. */
static void handler(void) {
  traceISR_ENTER();
  traceISR_EXIT_TO_SCHEDULER();
  traceISR_EXIT();
}

int main(void) {
  CHECK_EQ(tband_start_streaming(), 0);
  const TaskHandle_t worker = xTaskCreate("worker", 3);
  const TaskHandle_t idle = xTaskCreate("IDLE", 0);
  TickType_t wake = 100;
  handler();
  vTaskSwitchContext(worker); /* the kernel's start */
  vTaskSwitchContext(idle);
  vTaskDelay(5);
  vTaskDelayUntil(&wake, 20);
  vTaskPrioritySet(worker, 4);
  vTaskPriorityInherit(idle);
  vTaskPriorityDisinherit(idle);
  vTaskSuspend(idle);
  vTaskResume(idle);
  vTaskResumeFromISR(idle);
  const QueueHandle_t queue = xQueueGenericCreate(1, queueQUEUE_TYPE_BASE);
  vQueueAddToRegistry(queue, "numbers");
  CHECK_EQ(xQueueGenericSend(queue, 0, queueSEND_TO_BACK), pdPASS);
  CHECK_EQ(xQueueGenericSend(queue, 11, queueSEND_TO_BACK), pdFAIL);
  CHECK_EQ(xQueueReceive(queue, 0), pdPASS);
  CHECK_EQ(xQueueReceive(queue, 12), pdFAIL);
  CHECK_EQ(xQueuePeek(queue, 13), pdFAIL);
  CHECK_EQ(xQueueGenericSendFromISR(queue, queueSEND_TO_BACK), pdPASS);
  CHECK_EQ(xQueueReceiveFromISR(queue), pdPASS);
  const QueueHandle_t counting = xQueueCreateCountingSemaphore(2, 1);
  CHECK_EQ(xQueueGiveFromISR(counting), pdPASS);
  const QueueHandle_t mutex = xQueueCreateMutex(queueQUEUE_TYPE_MUTEX);
  tband_freertos_mutex_name(mutex, "lock");
  vTaskDelete(idle);
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print_sent();
  return 0;
}
