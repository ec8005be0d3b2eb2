/* Two tasks and a queue, written for Tonbandgeraet: one task starts the recording, until it is, reports the
 * scheduler by hand, and ends the program. */
#include "FreeRTOS.h"
#include "queue.h"
#include "task.h"
#include "tband.h"

#include <stdio.h>
#include <time.h>

enum { MESSAGES = 5 };

static FILE *trace;
static int busy = 3;
static QueueHandle_t numbers;

uint64_t platform_ts(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

bool stream_data(const uint8_t *buf, size_t buf_len) {
  if (busy > 0) {
    busy--;
    return true;
  }
  return fwrite(buf, 1, buf_len, trace) != buf_len;
}

static void producer(void *arg) {
  (void)arg;
  tband_freertos_task_evtmarker_name(1, "produce");
  for (int i = 0; i < MESSAGES; i++) {
    tband_freertos_task_evtmarker_begin(1, "");
    xQueueSend(numbers, &i, portMAX_DELAY);
    tband_freertos_task_evtmarker_end(1);
    vTaskDelay(1);
  }
  vTaskSuspend(NULL);
}

static void consumer(void *arg) {
  (void)arg;
  tband_freertos_scheduler_started();
  while (tband_start_streaming() != 0) {
  }
  for (int i = 0; i < MESSAGES; i++) {
    int got = 0;
    xQueueReceive(numbers, &got, portMAX_DELAY);
    tband_valmarker(1, got);
  }
  tband_stop_streaming();
  fclose(trace);
  exit(0);
}

int main(void) {
  const char *path = getenv("TRACE_FILE");
  if (path == NULL) {
    return EXIT_FAILURE;
  }
  trace = fopen(path, "wb");
  if (trace == NULL) {
    return EXIT_FAILURE;
  }
  tband_gather_system_metadata();
  numbers = xQueueCreate(2, sizeof(int));
  tband_freertos_queue_name(numbers, "numbers");
  xTaskCreate(consumer, "consumer", configMINIMAL_STACK_SIZE, NULL, 2, NULL);
  xTaskCreate(producer, "producer", configMINIMAL_STACK_SIZE, NULL, 1, NULL);
  vTaskStartScheduler();
  return EXIT_FAILURE;
}
