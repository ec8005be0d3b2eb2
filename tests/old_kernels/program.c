/* Calls every function of the mock kernel on each path that ends in another trace macro, and prints the
 * stream. The test has the expected events. */
#include "../c/check.h"
#include "../c/fake_port/fake_port.h"
#include "FreeRTOS.h"
#include "event_groups.h"
#include "queue.h"
#include "stream_buffer.h"
#include "task.h"
#include "tband.h"
#include "timers.h"

static void tasks(TaskHandle_t worker, TaskHandle_t idle) {
  TickType_t wake = 100;
  vTaskSwitchContext(worker);
  tband_freertos_scheduler_started();
  vTaskDelay(5);
  vTaskDelayUntil(&wake, 20);
  vTaskPrioritySet(worker, 4);
  vTaskPriorityInherit(idle);
  vTaskPriorityDisinherit(idle);
  vTaskSuspend(idle);
  vTaskResume(idle);
  vTaskResumeFromISR(idle);
  vTaskIdle(9);
  vTaskStepTick(3);
  vTaskIncrementTick();
  traceISR_ENTER();
  traceISR_EXIT();
  traceISR_ENTER();
  traceISR_EXIT_TO_SCHEDULER();
}

static void notifications(TaskHandle_t worker) {
  CHECK_EQ(xTaskGenericNotify(worker, INDEX_ARGUMENT(2) 7, eSetBits), pdPASS);
  CHECK_EQ(xTaskGenericNotify(worker, INDEX_ARGUMENT(2) 8, eSetValueWithoutOverwrite), pdFAIL);
  CHECK_EQ(xTaskGenericNotifyFromISR(worker, INDEX_ARGUMENT(2) 9, eSetValueWithOverwrite), pdPASS);
  vTaskGenericNotifyGiveFromISR(INDEX_ARGUMENT(2) worker);
  CHECK_EQ(ulTaskGenericNotifyTake(INDEX_ARGUMENT(2) pdFALSE, 30), 10);
  CHECK_EQ(ulTaskGenericNotifyTake(INDEX_ARGUMENT(2) pdTRUE, 0), 9);
  vTaskGenericNotifyWait(INDEX_ARGUMENT(2) 40);
}

static void queues(void) {
  const QueueHandle_t queue = xQueueGenericCreate(2, queueQUEUE_TYPE_BASE);
  const QueueHandle_t mailbox = xQueueGenericCreate(1, queueQUEUE_TYPE_BASE);
  const QueueHandle_t set = xQueueGenericCreate(9, queueQUEUE_TYPE_SET);
  vQueueAddToRegistry(queue, "numbers");
  vQueueAddToSet(queue, set);
  CHECK_EQ(xQueueGenericSend(queue, 0, queueSEND_TO_BACK), pdPASS);
  CHECK_EQ(xQueueGenericSend(queue, 0, queueSEND_TO_FRONT), pdPASS);
  CHECK_EQ(xQueueGenericSend(queue, 11, queueSEND_TO_BACK), pdFAIL);
  CHECK_EQ(xQueueGenericSendFromISR(queue, queueSEND_TO_BACK), pdFAIL);
  CHECK_EQ(xQueuePeek(queue, 0), pdPASS);
  CHECK_EQ(xQueuePeekFromISR(queue), pdPASS);
  CHECK_EQ(xQueueReceive(queue, 0), pdPASS);
  CHECK_EQ(xQueueReceiveFromISR(queue), pdPASS);
  CHECK_EQ(xQueueReceive(queue, 12), pdFAIL);
  CHECK_EQ(xQueuePeek(queue, 13), pdFAIL);
  CHECK_EQ(xQueueReceiveFromISR(queue), pdFAIL);
  CHECK_EQ(xQueuePeekFromISR(queue), pdFAIL);
  for (int round = 0; round < 2; round++) {
    CHECK_EQ(xQueueGenericSend(mailbox, 0, queueOVERWRITE), pdPASS);
  }
  CHECK_EQ(xQueueReceive(mailbox, 0), pdPASS);
  for (int round = 0; round < 2; round++) {
    CHECK_EQ(xQueueGenericSendFromISR(mailbox, queueOVERWRITE), pdPASS);
  }
  vQueueDelete(mailbox);
  CHECK(xQueueGenericCreate(0, queueQUEUE_TYPE_BASE) == NULL);
}

static void semaphores(void) {
  const QueueHandle_t counting = xQueueCreateCountingSemaphore(2, 1);
  CHECK_EQ(xQueueGiveFromISR(counting), pdPASS);
  CHECK_EQ(xQueueGiveFromISR(counting), pdFAIL);
  CHECK(xQueueCreateCountingSemaphore(0, 0) == NULL);
  const QueueHandle_t mutex = xQueueCreateMutex(queueQUEUE_TYPE_RECURSIVE_MUTEX);
  CHECK_EQ(xQueueTakeMutexRecursive(mutex, 0), pdPASS);
  CHECK_EQ(xQueueTakeMutexRecursive(mutex, 0), pdPASS);
  CHECK_EQ(xQueueGiveMutexRecursive(mutex), pdPASS);
  vTaskSwitchContext(xTaskGetIdleTaskHandle());
  CHECK_EQ(xQueueTakeMutexRecursive(mutex, 0), pdFAIL);
  CHECK_EQ(xQueueGiveMutexRecursive(mutex), pdFAIL);
}

static void timer_callback(TimerHandle_t timer) { (void)timer; }
static void pended(void *first, uint32_t second) {
  (void)first;
  (void)second;
}

static void timers(void) {
  const TimerHandle_t timer = xTimerCreate("blink", 50, 1, timer_callback);
  CHECK_EQ(xTimerGenericCommand(timer, 1, 123), pdPASS);
  vTimerProcess(timer, 1, 123);
  CHECK_EQ(xTimerPendFunctionCall(pended, NULL, 5), pdFAIL);
  CHECK_EQ(xTimerPendFunctionCallFromISR(pended, NULL, 6), pdPASS);
  CHECK_EQ(tband_freertos_timer_number(timer), 1);
}

static void event_groups(void) {
  CHECK(xEventGroupCreate(pdFALSE) == NULL);
  const EventGroupHandle_t group = xEventGroupCreate(pdTRUE);
  vEventGroupSetBits(group, 6);
  vEventGroupClearBits(group, 2);
  vEventGroupSetBitsFromISR(group, 8);
  vEventGroupClearBitsFromISR(group, 4);
  CHECK_EQ(xEventGroupWaitBits(group, 4, pdTRUE, pdFALSE, 60), 4);
  CHECK_EQ(xEventGroupSync(group, 1, 3, 70), 5);
  CHECK_EQ(tband_freertos_event_group_number(group), 1);
  vEventGroupDelete(group);
}

static void stream_buffers(void) {
  CHECK(xStreamBufferGenericCreate(0, 1, 0) == NULL);
  CHECK(xStreamBufferGenericCreateStatic(0) == NULL);
  const StreamBufferHandle_t buffer = xStreamBufferGenericCreate(100, 1, 1);
  CHECK_EQ(xStreamBufferSend(buffer, 10, 80), 10);
  CHECK_EQ(xStreamBufferSend(buffer, 0, 0), 0);
  CHECK_EQ(xStreamBufferSendFromISR(buffer, 5), 5);
  CHECK_EQ(xStreamBufferSendFromISR(buffer, 0), 0);
  CHECK_EQ(xStreamBufferReceive(buffer, 4, 90), 4);
  CHECK_EQ(xStreamBufferReceive(buffer, 0, 0), 0);
  CHECK_EQ(xStreamBufferReceiveFromISR(buffer, 3), 3);
  CHECK_EQ(xStreamBufferReceiveFromISR(buffer, 0), 0);
  CHECK_EQ(tband_freertos_stream_buffer_number(buffer), 1);
  vStreamBufferReset(buffer);
  vStreamBufferDelete(buffer);
}

int main(void) {
  CHECK_EQ(tband_start_streaming(), 0);
  const TaskHandle_t worker = xTaskCreate("worker", 3);
  const TaskHandle_t idle = xTaskCreate("IDLE", 0);
  tasks(worker, idle);
  notifications(worker);
  queues();
  semaphores();
  timers();
  event_groups();
  stream_buffers();
  vPortFree(pvPortMalloc(24));
  vTaskDelete(idle);
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print_sent();
  return 0;
}
