/* A program with FreeRTOS: two tasks that wait for the clock, for a third of a second. */
#include <stdio.h>
#include <stdlib.h>

#include "FreeRTOS.h"
#include "task.h"

#include "tband.h"

static void slow(void *parameter) {
  (void)parameter;
  for (;;) {
    vTaskDelay(7);
  }
}

static void finish(void) {
  (void)tband_stop_snapshot();
  (void)fwrite((const void *)tband_get_metadata_buf(0), 1, tband_get_metadata_buf_amnt(0), stdout);
  (void)fwrite((const void *)tband_get_core_snapshot_buf(0), 1, tband_get_core_snapshot_buf_amnt(0),
               stdout);
  (void)fflush(stdout);
  _Exit(0);
}

static void fast(void *parameter) {
  (void)parameter;
  for (int round = 0; round < 40; round++) {
    vTaskDelay(5);
    tband_valmarker(1, round);
    tband_valmarker(1, -round);
  }
  finish();
}

void vAssertCalled(void);
void vAssertCalled(void) { abort(); }

int main(void) {
  (void)xTaskCreate(slow, "slow", 1024, NULL, 1, NULL);
  (void)xTaskCreate(fast, "fast", 1024, NULL, 2, NULL);
  (void)tband_trigger_snapshot();
  vTaskStartScheduler();
  return 1;
}
