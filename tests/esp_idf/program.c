/* Tasks, semaphores and interrupts of two cores, in an order that is the same each time. Prints the stream. */
#include <stdbool.h>

#include "../c/check.h"
#include "../c/fake_port/fake_port.h"
#include "FreeRTOS.h"
#include "task.h"
#include "queue.h"
#include "tband.h"

BaseType_t xPortGetCoreID(void) { return (BaseType_t)fake_core; }

static bool is_asked[2];
void imitation_ask_for_switch(void) { is_asked[fake_core] = true; }

/* As ESP-IDF's dispatcher: no exit while a switch is pending. */
static void enter(int source) { traceISR_ENTER(source); }
static void leave(void) {
  if (!is_asked[fake_core]) {
    traceISR_EXIT();
  }
}
static void switch_to(TaskHandle_t task) {
  is_asked[fake_core] = false;
  vTaskSwitchContext(task);
}

int main(void) {
  const bool has_two = IMITATION_CORES > 1;
  CHECK_EQ(tband_start_streaming(), 0);
  const TaskHandle_t left = xTaskCreatePinnedToCore("left", 3, 0);
  const TaskHandle_t right = xTaskCreatePinnedToCore("right", 2, 1);
  const QueueHandle_t queue = xQueueGenericCreate(1, queueQUEUE_TYPE_BASE);
  const QueueHandle_t semaphore = xQueueGenericCreate(1, queueQUEUE_TYPE_COUNTING_SEMAPHORE);
  vTaskStartScheduler(left, right);

  /* A semaphore is not a queue: it has other macros. */
  CHECK_EQ(xQueueSemaphoreTake(semaphore, 5), pdFAIL);
  enter(33);
  CHECK_EQ(xQueueGiveFromISR(semaphore), pdPASS);
  CHECK_EQ(xQueueGiveFromISR(semaphore), pdFAIL);
  leave();
  CHECK_EQ(xQueueSemaphoreTake(semaphore, 5), pdPASS);

  /* The copy position is that of the call, and no guess: this queue is not full. */
  enter(33);
  CHECK_EQ(xQueueGenericSendFromISR(queue, queueOVERWRITE), pdPASS);
  CHECK_EQ(xQueueGenericSendFromISR(queue, queueSEND_TO_BACK), pdFAIL);
  leave();
  CHECK_EQ(xQueueReceive(queue, 0), pdPASS);

  /* The other core: its running task, its interrupts. */
  fake_core = has_two ? 1 : 0;
  switch_to(right);
  vTaskPriorityInherit(left);
  CHECK_EQ(ulTaskGenericNotifyTake(1, pdTRUE, 7), 0);
  enter(50);
  fake_core = 0;
  enter(33); /* with one core this one interrupts the other */
  vTaskGenericNotifyGiveFromISR(right, 1);
  leave();
  fake_core = has_two ? 1 : 0;
  enter(51); /* nested */
  leave();
  portYIELD_FROM_ISR();
  enter(51); /* nested while a switch is pending: its exit is missing */
  leave();
  leave();
  switch_to(xTaskGetIdleTaskHandle());
  switch_to(right);
  CHECK_EQ(ulTaskGenericNotifyTake(1, pdTRUE, 7), 1);

  /* A yield without an interrupt that was recorded. */
  fake_core = 0;
  portYIELD_FROM_ISR();
  switch_to(left);
  vTaskDelete(left);
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print_sent();
  return 0;
}
