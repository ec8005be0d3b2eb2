/*
 * Firmware that works for 50 ms and then crashes in the way that CMakeLists.txt selects. After the reset it writes the
 * previous recording to a file, and ends.
 */
#include "FreeRTOS.h"
#include "board.h"
#include "ending.h"
#include "filter.h"
#include "semihost.h"
#include "task.h"

enum { SAMPLES = 50, PERIOD_MS = 1, WATCHDOG_MS = 20 };
enum { VALUE_FILTERED = 1, MARKER_STEP = 1 };
enum { STACK_WORDS = 256, BELOW_WORDS = 512 };

/* A stack overflow first overwrites the memory below the stack: here that is nothing that the kernel needs. */
static struct {
  StackType_t below[BELOW_WORDS];
  StackType_t stack[STACK_WORDS];
} sensor_memory;

static void sensor(void *unused) {
  (void)unused;
  TickType_t woken = xTaskGetTickCount();
  for (int32_t sample = 1;; sample++) {
    tband_evtmarker_begin(MARKER_STEP, "");
    const int32_t value = filter_step(sample, (sample == SAMPLES) ? (enum crash)CRASH : NOTHING);
    tband_evtmarker_end(MARKER_STEP);
    tband_valmarker(VALUE_FILTERED, value);
    watchdog_feed();
    (void)xTaskDelayUntil(&woken, pdMS_TO_TICKS(PERIOD_MS));
  }
}

static void blink(void *unused) {
  (void)unused;
  for (;;) {
    vTaskDelay(pdMS_TO_TICKS(3));
  }
}

int main(void) {
  static StaticTask_t task;
  if (ending_was_recorded()) {
    semihost_exit(0);
  }
  (void)tband_start_post_mortem();
  tband_valmarker_name(VALUE_FILTERED, "filtered");
  tband_evtmarker_name(MARKER_STEP, "filter");
  watchdog_start(WATCHDOG_MS);
  (void)xTaskCreateStatic(sensor, "sensor", STACK_WORDS, NULL, 2, sensor_memory.stack, &task);
  (void)xTaskCreate(blink, "blink", configMINIMAL_STACK_SIZE, NULL, 1, NULL);
  vTaskStartScheduler();
  return 1;
}
