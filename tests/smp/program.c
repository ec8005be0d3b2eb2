/* Tasks on two cores that hand each other items and notifications; two are bound to a core, one binds itself
 * on the way. Writes the recording, and which task each core really ran, to the two files it is given. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "simulation.h"
#include "task.h"
#include "tband_port.h"

enum { ROUNDS = 8 };

static uint8_t recording[1U << 22];
static size_t recorded;
static QueueHandle_t queue;
static SemaphoreHandle_t mutex;
static TaskHandle_t reporter;
static char **files;

uint64_t program_now(void) {
  static uint64_t now;
  return ++now;
}

bool program_store(const uint8_t *data, size_t len) {
  configASSERT(len <= sizeof(recording) - recorded);
  memcpy(&recording[recorded], data, len);
  recorded += len;
  return false;
}

static void is_on_core(BaseType_t core) {
  const UBaseType_t before = portSET_INTERRUPT_MASK();
  configASSERT(portGET_CORE_ID() == core);
  portCLEAR_INTERRUPT_MASK(before);
}

static void end_task(void) {
  (void)xTaskNotifyGive(reporter);
  vTaskDelete(NULL);
}

static void producer(void *parameter) {
  (void)parameter;
  for (int round = 0; round < ROUNDS; round++) {
    is_on_core(0);
    configASSERT(xQueueSend(queue, &round, portMAX_DELAY) == pdPASS);
    vTaskDelay(1);
  }
  end_task();
}

static void consumer(void *parameter) {
  (void)parameter;
  for (int round = 0; round < ROUNDS; round++) {
    int item = -1;
    configASSERT(xQueueReceive(queue, &item, portMAX_DELAY) == pdPASS);
    configASSERT(item == round);
    is_on_core(1);
    configASSERT(xSemaphoreTakeRecursive(mutex, portMAX_DELAY) == pdPASS);
    configASSERT(xSemaphoreTakeRecursive(mutex, 0) == pdPASS);
    vTaskDelay(1);
    (void)xSemaphoreGiveRecursive(mutex);
    (void)xSemaphoreGiveRecursive(mutex);
  }
  end_task();
}

static void roamer(void *parameter) {
  (void)parameter;
  for (int round = 0; round < ROUNDS; round++) {
    configASSERT(xSemaphoreTakeRecursive(mutex, portMAX_DELAY) == pdPASS);
    (void)xSemaphoreGiveRecursive(mutex);
    vTaskDelay(1);
    if (round == ROUNDS / 2) {
      vTaskCoreAffinitySet(NULL, 1U << 1);
      vTaskDelay(1);
      is_on_core(1);
    }
  }
  end_task();
}

static void write_file(const char *name, const void *data, size_t len) {
  FILE *file = fopen(name, "wb");
  configASSERT((file != NULL) && (fwrite(data, 1, len, file) == len) && (fclose(file) == 0));
}

static void report(void *parameter) {
  (void)parameter;
  for (int left = 3; left > 0; left--) {
    (void)ulTaskNotifyTake(pdFALSE, portMAX_DELAY);
  }
  (void)portSET_INTERRUPT_MASK();
  configASSERT(tband_stop_streaming() == 0);
  write_file(files[1], recording, recorded);
  write_file(files[2], simulated_switches, strlen(simulated_switches));
  exit(0);
}

int main(int argc, char **argv) {
  configASSERT(argc == 3);
  files = argv;
  configASSERT(tband_start_streaming() == 0);
  queue = xQueueCreate(2, sizeof(int));
  mutex = xSemaphoreCreateRecursiveMutex();
  configASSERT((queue != NULL) && (mutex != NULL));
  const BaseType_t created[] = {
      xTaskCreate(report, "reporter", 128, NULL, 4, &reporter),
      xTaskCreateAffinitySet(producer, "producer", 128, NULL, 3, 1U << 0, NULL),
      xTaskCreateAffinitySet(consumer, "consumer", 128, NULL, 2, 1U << 1, NULL),
      xTaskCreate(roamer, "roamer", 128, NULL, 1, NULL),
  };
  for (size_t at = 0; at < sizeof(created) / sizeof(created[0]); at++) {
    configASSERT(created[at] == pdPASS);
  }
  vTaskStartScheduler();
  return 1;
}
