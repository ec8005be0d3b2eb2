/* Class ISR: interrupts with and without a switch after them, nested ones, ones whose handlers report
 * their end or their beginning only; and the kernel's own tick handler where it records itself. */
#include "../harness.h"

enum { ISR_SYSTICK = 15 };

static TaskHandle_t task;

static void expect_isr(const char *what, uint32_t number) { expect("isr_%s isr_id=%u", what, number); }

static void quiet_isr(BaseType_t *woken) {
  (void)woken;
  expect_isr("exit", ISR_OUTER);
}

static void inner_isr(BaseType_t *woken) {
  (void)woken;
  expect_isr("exit", ISR_INNER);
}

static void outer_isr(BaseType_t *woken) {
  for (unsigned i = 0; i < 2; i++) {
    expect_isr("enter", ISR_INNER);
    interrupt(inner_isr);
  }
  vTaskNotifyGiveFromISR(task, woken);
  CHECK(*woken == pdTRUE);
  expect_isr("exit_to_scheduler", ISR_OUTER);
}

static void taker(void *parameter) {
  (void)parameter;
  CHECK(ulTaskNotifyTake(pdTRUE, portMAX_DELAY) == 1);
  end_task();
}

void class_isr(void) {
  expect_isr("enter", ISR_OUTER);
  interrupt(quiet_isr);
  interrupt_without_enter();
  /* What a handler leaves out is found when it comes again. */
  for (unsigned i = 0; i < 2; i++) {
    expect_isr("enter", ISR_OUTER);
    interrupt_without_exit();
    expect_isr("exit_missed", ISR_OUTER);
  }
  expect_isr("enter", ISR_OUTER);
  interrupt(quiet_isr);
  CHECK(tband_freertos_get_missed_isr_exit_cnt(0) == (tband_configFREERTOS_ISR_TRACE_ENABLE != 0 ? 2 : 0));
  task = start_task(taker, PRIORITY_HIGH);
  expect_isr("enter", ISR_OUTER);
  interrupt(outer_isr);

  /* The second tick wakes the driver. Its interrupt is left out where ticks are. */
  if (interrupts_are_real && (tband_configFREERTOS_TICK_TRACE_ENABLE != 0)) {
    expect_isr("enter", ISR_SYSTICK);
    expect_isr("exit", ISR_SYSTICK);
    expect_isr("enter", ISR_SYSTICK);
    expect_isr("exit_to_scheduler", ISR_SYSTICK);
  }
  vTaskDelay(2);
}
