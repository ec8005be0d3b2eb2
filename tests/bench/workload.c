/* Two tasks, two queues, a mutex: every round is two sends, two receives, two takes and gives of the
 * mutex, and the switches between. */
#include "workload.h"

#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"

#include "tband.h"

static QueueHandle_t ping, pong;
static SemaphoreHandle_t mutex;

static void use_mutex(void) {
  xSemaphoreTake(mutex, portMAX_DELAY);
  xSemaphoreGive(mutex);
}

static void serve(void *unused) {
  (void)unused;
  uint32_t round = 0;
#if defined(BENCH_MEASURE_EVENTS)
  workload_begin();
#endif
  do {
    use_mutex();
    xQueueSend(ping, &round, portMAX_DELAY);
    xQueueReceive(pong, &round, portMAX_DELAY);
    round++;
  } while (workload_next((int)round));
  workload_end();
}

static void answer(void *unused) {
  (void)unused;
  for (;;) {
    uint32_t round;
    xQueueReceive(ping, &round, portMAX_DELAY);
    use_mutex();
    xQueueSend(pong, &round, portMAX_DELAY);
  }
}

void workload_run(void) {
  ping = xQueueCreate(1, sizeof(uint32_t));
  pong = xQueueCreate(1, sizeof(uint32_t));
  mutex = xSemaphoreCreateMutex();
  tband_freertos_queue_name(ping, "ping");
  tband_freertos_queue_name(pong, "pong");
  tband_freertos_mutex_name(mutex, "mutex");
  xTaskCreate(serve, "serve", configMINIMAL_STACK_SIZE, NULL, 2, NULL);
  xTaskCreate(answer, "answer", configMINIMAL_STACK_SIZE, NULL, 3, NULL);
  vTaskStartScheduler();
  for (;;) {
  }
}
