/* A user's program for the kernel's POSIX port: two tasks and a queue. It ends after some messages. */
#include <stdlib.h>

#include "FreeRTOS.h"
#include "queue.h"
#include "task.h"

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
  while (count < 400) {
    (void)xQueueReceive(messages, &count, portMAX_DELAY);
  }
  exit(0);
}

int main(void) {
  messages = xQueueCreate(4, sizeof(int));
  (void)xTaskCreate(produce, "producer", configMINIMAL_STACK_SIZE, NULL, 1, NULL);
  (void)xTaskCreate(consume, "consumer", configMINIMAL_STACK_SIZE, NULL, 2, NULL);
  vTaskStartScheduler();
  return 1;
}
