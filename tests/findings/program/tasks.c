/* Mistakes with periods, priorities and interrupts. */
#include "findings.h"

/* --- missed-period -------------------------------------------------------------------------- */

enum { PERIOD = 5 };

static void overrun_once(void *unused) {
  (void)unused;
  TickType_t wake = xTaskGetTickCount();
  for (uint32_t round = 0;; round++) {
    work((round == 20U) ? 7000 : 1000);
    vTaskDelayUntil(&wake, PERIOD);
  }
}

static void change_period(void *unused) {
  (void)unused;
  TickType_t wake = xTaskGetTickCount();
  for (uint32_t round = 0;; round++) {
    work(1000);
    vTaskDelayUntil(&wake, (round < 30U) ? PERIOD : 2 * PERIOD);
  }
}

void missed_period_fires(void) { (void)create(overrun_once, "periodic", MIDDLE); }

void missed_period_near(void) { (void)create(change_period, "periodic", MIDDLE); }

/* --- late-ticks ----------------------------------------------------------------------------- */

static uint32_t masked_us;

/* Masks the kernel's tick. Of several ticks that are due in that time, the kernel counts one. */
static void mask(void *unused) {
  (void)unused;
  vTaskDelay(200);
  for (;;) {
    board_interrupts_off();
    work(masked_us);
    board_interrupts_on();
    vTaskDelay(50);
  }
}

void late_ticks_fires(void) {
  masked_us = 20000;
  (void)create(mask, "masker", MIDDLE);
}

void late_ticks_near(void) {
  masked_us = 900;
  (void)create(mask, "masker", MIDDLE);
}

/* --- starvation, never-blocks --------------------------------------------------------------- */

static TaskHandle_t partners[2];
static uint32_t until_ms;

/* Two tasks hand the core to each other, so neither of them runs without a wait. */
static void alternate(void *unused) {
  (void)unused;
  const bool is_second = xTaskGetCurrentTaskHandle() == partners[1];
  vTaskDelay(10);
  if (!is_second) {
    (void)xTaskNotifyGive(partners[0]);
  }
  for (;;) {
    (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    work(4000);
    if (xTaskGetTickCount() < pdMS_TO_TICKS(until_ms)) {
      (void)xTaskNotifyGive(partners[is_second ? 0 : 1]);
    }
  }
}

static void run_often(void *unused) {
  (void)unused;
  for (;;) {
    work(500);
    vTaskDelay(5);
  }
}

void starvation_fires(void) {
  until_ms = 1400;
  (void)create(run_often, "starved", LOW);
  partners[0] = create(alternate, "first", HIGH);
  partners[1] = create(alternate, "second", HIGH);
}

/* The less urgent task waits 0.9 s. */
void starvation_near(void) {
  until_ms = 900;
  (void)create(run_often, "starved", LOW);
  partners[0] = create(alternate, "first", HIGH);
  partners[1] = create(alternate, "second", HIGH);
}

static void compute(void *unused) {
  (void)unused;
  vTaskDelay(2);
  for (;;) {
    work(1000);
  }
}

/* Waits for something that does not come in this recording. */
static void wait_long(void *unused) {
  (void)unused;
  for (;;) {
    vTaskDelay(pdMS_TO_TICKS(5000));
  }
}

void never_blocks_fires(void) {
  (void)create(wait_long, "background", LOW);
  (void)create(compute, "busy", MIDDLE);
}

/* The least urgent task may use all the time that is left. */
void never_blocks_near(void) {
  (void)create(wait_long, "urgent", MIDDLE);
  (void)create(compute, "busy", LOW);
}

/* --- interrupt-storm ------------------------------------------------------------------------ */

enum { COUNTS_PER_US = BOARD_CLOCK_HZ / 1000000 };

static void handle(void) { work(30); }

static void raise_rate(void *unused) {
  (void)unused;
  board_timer_start(BOARD_TIMER0, 5000U * COUNTS_PER_US);
  vTaskDelay(500);
  board_timer_start(BOARD_TIMER0, 50U * COUNTS_PER_US);
  vTaskDelay(20);
  board_timer_start(BOARD_TIMER0, 5000U * COUNTS_PER_US);
  finish();
}

static void keep_rate(void *unused) {
  (void)unused;
  board_timer_start(BOARD_TIMER0, 100U * COUNTS_PER_US);
  finish();
}

void interrupt_storm_fires(void) {
  on_timer = handle;
  (void)create(raise_rate, "source", HIGH);
}

void interrupt_storm_near(void) {
  on_timer = handle;
  (void)create(keep_rate, "source", HIGH);
}
