/* Class TASK_EXTRA: waits of every kind aborted, and tasks that cannot be created. Core affinity needs a
 * kernel for several cores. */
#include "../harness.h"
#include "queue.h"

static QueueHandle_t queue;

static void sleeper(void *parameter) {
  (void)parameter;
  const uint32_t before = now();
  vTaskDelay(1000);
  CHECK(now() == before);
  end_task();
}

static void reader(void *parameter) {
  (void)parameter;
  uint32_t item;
  CHECK(xQueueReceive(queue, &item, portMAX_DELAY) == pdFALSE);
  end_task();
}

static void taker(void *parameter) {
  (void)parameter;
  CHECK(ulTaskNotifyTake(pdTRUE, 10) == 0);
  end_task();
}

static void idler(void *parameter) {
  (void)parameter;
  vTaskSuspend(NULL);
  end_task();
}

static void faulty(void *parameter) {
  (void)parameter;
  (void)xTaskAbortDelay(NULL);
}

static void abort_wait(TaskHandle_t task, BaseType_t result) {
  if (result == pdPASS) {
    expect("task_delay_abort task_id=%u", number_of(task));
  }
  CHECK(xTaskAbortDelay(task) == result);
}

enum { OBJECT_TASK = 3 };

void class_task_extra(void) {
  queue = xQueueCreate(1, sizeof(uint32_t));
  abort_wait(start_task(sleeper, PRIORITY_HIGH), pdPASS);
  abort_wait(start_task(reader, PRIORITY_HIGH), pdPASS);
  abort_wait(start_task(taker, PRIORITY_HIGH), pdPASS);

  /* Nothing to abort. */
  const TaskHandle_t suspended = start_task(idler, PRIORITY_HIGH);
  abort_wait(suspended, pdFAIL);
  vTaskResume(suspended);
  const TaskHandle_t ready = start_task(idler, PRIORITY_LOW);
  abort_wait(ready, pdFAIL);
  vTaskDelete(ready);
  start_faulty_task(faulty); /* records nothing */
  vQueueDelete(queue);

  exhaust_heap();
  expect("create_failed object=%u", (uint32_t)OBJECT_TASK);
  CHECK(xTaskCreate(idler, "none", configMINIMAL_STACK_SIZE, NULL, PRIORITY_LOW, NULL) != pdPASS);
  release_heap();

  expect("create_failed object=%u", (uint32_t)OBJECT_TASK);
  static StackType_t stack[configMINIMAL_STACK_SIZE];
  allow_assertions(1);
  CHECK(xTaskCreateStatic(idler, "none", configMINIMAL_STACK_SIZE, NULL, PRIORITY_LOW, stack, NULL) == NULL);
}
