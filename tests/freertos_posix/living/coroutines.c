/* Co-routines send and receive, also as interrupts do for them. trace.bin is a snapshot; what the kernel has in the
 * queue after each step is printed, a line a step. */
#include <stdio.h>
#include <stdlib.h>

#include "FreeRTOS.h"
#include "croutine.h"
#include "queue.h"
#include "task.h"

#include "tband.h"

enum { LENGTH = 3 };

void an_assertion_fails(void) { abort(); }

static QueueHandle_t queue;
static uint32_t woken;

static void shows(const char *step) { (void)printf("%s %u\n", step, (unsigned)uxQueueMessagesWaiting(queue)); }

/* Waits for an item. */
static void waits(CoRoutineHandle_t xHandle, UBaseType_t index) {
  static uint32_t item;
  static BaseType_t result;
  (void)index;
  crSTART(xHandle);
  for (;;) {
    crQUEUE_RECEIVE(xHandle, queue, &item, portMAX_DELAY, &result);
    if (result == pdPASS) {
      woken++;
      shows("receive");
    }
  }
  crEND();
}

static void sends(uint32_t item) {
  if (xQueueCRSend(queue, &item, 0) != errQUEUE_FULL) {
    shows("send");
  }
}

static void sends_from_isr(uint32_t item) {
  const UBaseType_t before = uxQueueMessagesWaiting(queue);
  (void)xQueueCRSendFromISR(queue, &item, pdFALSE);
  if (uxQueueMessagesWaiting(queue) != before) {
    shows("send_from_isr");
  }
}

int main(void) {
  uint32_t item = 0;
  BaseType_t wakes = pdFALSE;
  queue = xQueueCreate(LENGTH, sizeof item);
  if ((queue == NULL) || (tband_trigger_snapshot() != 0)) {
    return 1;
  }
  for (uint32_t nth = 0; nth < 2; nth++) {
    sends(nth);
  }
  sends_from_isr(7);
  sends(8); /* full */
  sends_from_isr(9);
  if (xQueueCRReceiveFromISR(queue, &item, &wakes) == pdPASS) {
    shows("receive_from_isr");
  }
  if (xQueueCRReceive(queue, &item, 0) == pdPASS) {
    shows("receive");
  }
  /* One that waits, and is woken by both. */
  if (xCoRoutineCreate(waits, 1, 0) != pdPASS) {
    return 1;
  }
  for (int times = 0; times < 3; times++) {
    vCoRoutineSchedule();
  }
  sends_from_isr(10);
  for (int times = 0; times < 3; times++) {
    vCoRoutineSchedule();
  }
  sends(11);
  for (int times = 0; times < 3; times++) {
    vCoRoutineSchedule();
  }
  if ((woken < 3U) || (tband_stop_snapshot() != 0)) {
    return 1;
  }
  FILE *const file = fopen("trace.bin", "wb");
  if (file == NULL) {
    return 1;
  }
  (void)fwrite((const void *)(uintptr_t)tband_get_metadata_buf(0), 1, tband_get_metadata_buf_amnt(0), file);
  (void)fwrite((const void *)(uintptr_t)tband_get_core_snapshot_buf(0), 1, tband_get_core_snapshot_buf_amnt(0), file);
  (void)fclose(file);
  return 0;
}
