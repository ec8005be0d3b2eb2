/* A program with FreeRTOS: two tasks that wait for the clock, for a third of a second. Macros that the tests define
 * add the mistakes; timers count a time that keeps in step with the kernel's ticks, however late these are on the
 * machine. */
#include <stdio.h>
#include <stdlib.h>

#include "FreeRTOS.h"
#include "task.h"

#include "tband.h"
#include "tband_extend32.h"

#ifdef TIMER
/* Nanoseconds: the ticks so far, and some for each reading within one. */
static uint64_t virtual_ns(void) {
  static TickType_t tick;
  static uint64_t readings;
  const TickType_t now = xTaskGetTickCountFromISR();
  readings = (now == tick) ? readings + 1 : 1;
  tick = now;
  return ((uint64_t)now * 1000000) + ((readings < 200) ? readings * 3700 : 740000);
}

/* The part of this time in which no task slept. */
static inline uint64_t without_sleep(uint64_t ns) {
  static uint64_t last, awake;
  static bool was_asleep;
  awake += was_asleep ? 0 : ns - last;
  last = ns;
  const bool runs = xTaskGetSchedulerState() != taskSCHEDULER_NOT_STARTED;
  was_asleep = runs && (xTaskGetCurrentTaskHandle() == xTaskGetIdleTaskHandle());
  return awake;
}

static uint64_t set_back_at;
uint64_t my_timer_ticks(void);
uint64_t my_timer_ticks(void) {
  const uint64_t ns = virtual_ns();
  return TIMER;
}
#endif

static inline void work_until(TickType_t tick) {
  while (xTaskGetTickCount() < tick) {
  }
}

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
#ifdef EACH_ROUND
    EACH_ROUND;
#endif
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
