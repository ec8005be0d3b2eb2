/* Waits on everything that a task can wait on: without end, as long as the ticks can count, and shortly. */
#include "../c/check.h"
#include "../c/fake_port/fake_port.h"
#include "FreeRTOS.h"
#include "event_groups.h"
#include "queue.h"
#include "stream_buffer.h"
#include "task.h"
#include "tband.h"

int main(void) {
  const TickType_t waits[] = {portMAX_DELAY, portMAX_DELAY - 1, 5};
  const TaskHandle_t waiting = xTaskCreate("waiting", 1);
  const QueueHandle_t empty = xQueueGenericCreate(1, queueQUEUE_TYPE_BASE);
  const QueueHandle_t full = xQueueGenericCreate(1, queueQUEUE_TYPE_BASE);
  const EventGroupHandle_t group = xEventGroupCreate(pdTRUE);
  const StreamBufferHandle_t buffer = xStreamBufferGenericCreate(100, 1, 1);
  vTaskSwitchContext(waiting);
  CHECK_EQ(xQueueGenericSend(full, 0, queueSEND_TO_BACK), pdPASS);
  CHECK_EQ(tband_start_streaming(), 0);
  for (size_t at = 0; at < sizeof waits / sizeof waits[0]; at++) {
    (void)xQueueGenericSend(full, waits[at], queueSEND_TO_BACK);
    (void)xQueueReceive(empty, waits[at]);
    (void)xQueuePeek(empty, waits[at]);
    (void)ulTaskGenericNotifyTake(INDEX_ARGUMENT(0) pdTRUE, waits[at]);
    vTaskGenericNotifyWait(INDEX_ARGUMENT(0) waits[at]);
    (void)xEventGroupWaitBits(group, 4, pdTRUE, pdFALSE, waits[at]);
    (void)xEventGroupSync(group, 1, 3, waits[at]);
    (void)xStreamBufferSend(buffer, 0, waits[at]);
    (void)xStreamBufferReceive(buffer, 0, waits[at]);
  }
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print_sent();
  return 0;
}
