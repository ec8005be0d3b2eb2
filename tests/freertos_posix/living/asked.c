/* Executes the commands in its argument, in hexadecimal digits, and prints their effect on the kernel's objects: two
 * queues of which one is allowed, a semaphore and two tasks of which one is. The recording goes to asked.bin. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"

#include "tband.h"

void an_assertion_fails(void) { abort(); }

static void never_runs(void *unused) { (void)unused; }

static TaskHandle_t task(const char *name) {
  TaskHandle_t made = NULL;
  if (xTaskCreate(never_runs, name, configMINIMAL_STACK_SIZE, NULL, 1, &made) != pdPASS) {
    abort();
  }
  return made;
}

static void obey(const char *digits) {
  for (const char *at = digits; (at[0] != '\0') && (at[1] != '\0'); at += 2) {
    const char pair[3] = {at[0], at[1], '\0'};
    const uint8_t byte = (uint8_t)strtoul(pair, NULL, 16);
    if (tband_received(&byte, 1)) {
      abort();
    }
    while (tband_obey()) {
    }
  }
}

int main(int count, char **arguments) {
  if (count != 2) {
    return 2;
  }
  /* In this order they have the numbers 1, 2, ... of their kind. */
  const QueueHandle_t allowed = xQueueCreate(2, 12);
  const QueueHandle_t other = xQueueCreate(2, 12);
  const SemaphoreHandle_t semaphore = xSemaphoreCreateBinary();
  const TaskHandle_t notified = task("notified");
  const TaskHandle_t not_notified = task("not notified");
  const bool is_allowed =
      (tband_freertos_allow_queue(allowed, 21) == -1) && (tband_freertos_allow_queue(NULL, 12) == -1) &&
      (tband_freertos_allow_queue(allowed, 12) == 0) && (tband_freertos_allow_queue(allowed, 12) == 0) &&
      (tband_freertos_allow_queue(semaphore, 0) == 0) && (tband_freertos_allow_task(notified) == 0) &&
      (tband_freertos_allow_queue(other, 12) == -1);
  (void)tband_trigger_snapshot();
  obey(arguments[1]);
  (void)tband_stop_snapshot();
  FILE *const file = fopen("asked.bin", "wb");
  if (file == NULL) {
    return 1;
  }
  const volatile uint8_t *const bytes = tband_get_core_snapshot_buf(0);
  for (size_t at = 0; at < tband_get_core_snapshot_buf_amnt(0); at++) {
    (void)fputc(bytes[at], file);
  }
  (void)fclose(file);

  (void)printf("allowed %d\n", (int)is_allowed);
  uint32_t item[3];
  while (xQueueReceive(allowed, item, 0) == pdTRUE) {
    (void)printf("item %x %x %x\n", (unsigned)item[0], (unsigned)item[1], (unsigned)item[2]);
  }
  (void)printf("other %u, semaphore %u\n", (unsigned)uxQueueMessagesWaiting(other),
               (unsigned)uxSemaphoreGetCount(semaphore));
  (void)printf("notified %x, %x\n", (unsigned)ulTaskNotifyValueClear(notified, 0),
               (unsigned)ulTaskNotifyValueClear(not_notified, 0));
  /* The queue is not allowed any more. */
  tband_freertos_disallow(allowed);
  (void)tband_reset_snapshot();
  obey(arguments[1]);
  (void)printf("after that %u\n", (unsigned)uxQueueMessagesWaiting(allowed));
  return 0;
}
