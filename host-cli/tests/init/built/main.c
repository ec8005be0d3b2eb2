/* A user's firmware: two tasks and a queue. It ends after some messages. */
#include "FreeRTOS.h"
#include "queue.h"
#include "task.h"

#include "semihost.h"

void save(void);

static QueueHandle_t messages;

static void produce(void *unused) {
  (void)unused;
  for (int count = 0;; count++) {
    (void)xQueueSend(messages, &count, portMAX_DELAY);
    vTaskDelay(1);
  }
}

static void consume(void *unused) {
  (void)unused;
  int count = 0;
  while (count < 20) {
    (void)xQueueReceive(messages, &count, portMAX_DELAY);
  }
  save();
  semihost_exit(0);
}

int main(void) {
  messages = xQueueCreate(4, sizeof(int));
  (void)xTaskCreate(produce, "producer", 256, NULL, 1, NULL);
  (void)xTaskCreate(consume, "consumer", 512, NULL, 2, NULL);
  vTaskStartScheduler();
  return 1;
}
