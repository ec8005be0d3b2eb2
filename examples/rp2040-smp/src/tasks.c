/* Two tasks that are bound to a core each and pass a token through queues, and two that run wherever there is room and
 * contend for a mutex: in the trace the first two wake each other across cores, the others move between them. */
#include "FreeRTOS.h"
#include "app.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"
#include "tband.h"

static QueueHandle_t to_core1, to_core0;
static SemaphoreHandle_t alarm_rang, shared;

/* Waits for the alarm, sends a token to the other core and waits until it is back. */
static void left(void *unused) {
  (void)unused;
  for (uint32_t token = 0;; token++) {
    configASSERT(xSemaphoreTake(alarm_rang, portMAX_DELAY) == pdTRUE);
    configASSERT(xQueueSend(to_core1, &token, portMAX_DELAY) == pdTRUE);
    uint32_t back = 0;
    configASSERT(xQueueReceive(to_core0, &back, portMAX_DELAY) == pdTRUE);
    configASSERT(back == token);
  }
}

/* Sends each token back. */
static void right(void *unused) {
  (void)unused;
  for (;;) {
    uint32_t token = 0;
    configASSERT(xQueueReceive(to_core1, &token, portMAX_DELAY) == pdTRUE);
    configASSERT(xQueueSend(to_core0, &token, portMAX_DELAY) == pdTRUE);
  }
}

/* Computes under the mutex, then rests for some ticks. */
static void worker(void *ticks) {
  for (;;) {
    configASSERT(xSemaphoreTake(shared, portMAX_DELAY) == pdTRUE);
    tband_evtmarker_begin(MARKER_WORK, "under the mutex");
    for (volatile uint32_t left_to_do = 2000; left_to_do > 0; left_to_do--) {
    }
    tband_evtmarker_end(MARKER_WORK);
    configASSERT(xSemaphoreGive(shared) == pdTRUE);
    vTaskDelay((TickType_t)(uintptr_t)ticks);
  }
}

void app_alarm(void) {
  BaseType_t woken = pdFALSE;
  /* The semaphore is full if the task has not taken it yet. */
  (void)xSemaphoreGiveFromISR(alarm_rang, &woken);
  portYIELD_FROM_ISR(woken);
}

void app_create(void) {
  to_core1 = xQueueCreate(1, sizeof(uint32_t));
  to_core0 = xQueueCreate(1, sizeof(uint32_t));
  alarm_rang = xSemaphoreCreateBinary();
  shared = xSemaphoreCreateMutex();
  configASSERT(to_core1 != NULL && to_core0 != NULL && alarm_rang != NULL && shared != NULL);
  vQueueAddToRegistry(to_core1, "to core 1");
  vQueueAddToRegistry(to_core0, "to core 0");
  vQueueAddToRegistry(alarm_rang, "alarm");
  vQueueAddToRegistry(shared, "shared");
  configASSERT(xTaskCreateAffinitySet(left, "left", 256, NULL, 3, 1U << 0, NULL) == pdPASS);
  configASSERT(xTaskCreateAffinitySet(right, "right", 256, NULL, 3, 1U << 1, NULL) == pdPASS);
  configASSERT(xTaskCreate(worker, "worker a", 256, (void *)2, 2, NULL) == pdPASS);
  configASSERT(xTaskCreate(worker, "worker b", 256, (void *)3, 2, NULL) == pdPASS);
}
