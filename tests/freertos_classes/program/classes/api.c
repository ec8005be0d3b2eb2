/* Class API: calls of kernel functions with their results. Written down are the calls of the driver itself,
 * not those that kernel functions make inside. */
#include "../harness.h"
#include "queue.h"
#include "semphr.h"
#include "timers.h"

static QueueHandle_t queue;

static void call(const char *function) { expect("call %s", function); }
static void call_with_value(const char *function, uint32_t value) {
  expect("call %s value=%u", function, value);
}

/* Its calls belong to another task. */
static void sender(void *parameter) {
  (void)parameter;
  const uint32_t item = 5;
  CHECK(xQueueSend(queue, &item, 0) == pdPASS);
  CHECK(uxQueueMessagesWaiting(queue) == 0);
  end_task();
}

/* So do those of an interrupt. */
static void send_isr(BaseType_t *woken) {
  const uint32_t item = 6;
  CHECK(xQueueSendFromISR(queue, &item, woken) == pdPASS);
}

void class_api(void) {
  const TaskHandle_t driver = xTaskGetCurrentTaskHandle();
  call_with_value("xTaskGetCurrentTaskHandle", low_bits((uintptr_t)driver));
  uint32_t item = 4;
  queue = xQueueCreate(1, sizeof item);
  call_with_value("xQueueGenericCreate", low_bits((uintptr_t)queue));
  call_with_value("xQueueGenericSend", pdPASS);
  CHECK(xQueueSend(queue, &item, 0) == pdPASS);
  call_with_value("xQueueGenericSend", errQUEUE_FULL);
  CHECK(xQueueSend(queue, &item, 0) == errQUEUE_FULL);
  call_with_value("uxQueueMessagesWaiting", 1);
  CHECK(uxQueueMessagesWaiting(queue) == 1);
  call_with_value("xQueueReceive", pdPASS);
  CHECK(xQueueReceive(queue, &item, 0) == pdPASS && item == 4);

  /* Another task runs between entering and returning. */
  TaskHandle_t task;
  call_with_value("xTaskCreate", pdPASS);
  CHECK(xTaskCreate(sender, "sender", configMINIMAL_STACK_SIZE, NULL, PRIORITY_LOW, &task) == pdPASS);
  call_with_value("xQueueReceive", pdPASS);
  CHECK(xQueueReceive(queue, &item, portMAX_DELAY) == pdPASS && item == 5);
  call_with_value("uxTaskPriorityGet", PRIORITY_LOW);
  CHECK(uxTaskPriorityGet(task) == PRIORITY_LOW);
  call("vTaskPrioritySet");
  vTaskPrioritySet(NULL, PRIORITY_DRIVER);
  call("vTaskDelay");
  vTaskDelay(2);

  interrupt(send_isr);
  call_with_value("xQueueReceive", pdPASS);
  CHECK(xQueueReceive(queue, &item, 0) == pdPASS && item == 6);
  call_with_value("xQueueReceive", errQUEUE_EMPTY);
  CHECK(xQueueReceive(queue, &item, 1) == errQUEUE_EMPTY);

  call_with_value("xTaskGenericNotify", pdPASS);
  CHECK(xTaskNotifyGive(driver) == pdPASS);
  call("vQueueDelete");
  vQueueDelete(queue);
}
