/* Class TIMER: each command, by tasks and interrupts; the queue full; timers that expire in time, late and
 * several times at once; pended function calls. The timer task has a higher priority than the driver, so
 * that it receives a command before the kernel's trace macro for the send. */
#include "../harness.h"
#include "timers.h"

enum {
  START = 1, RESET = 2, STOP = 3, CHANGE_PERIOD = 4, DELETE = 5,
  START_FROM_ISR = 6, RESET_FROM_ISR = 7, STOP_FROM_ISR = 8, CHANGE_PERIOD_FROM_ISR = 9,
};
enum { OBJECT_TIMER = 6 };

static TimerHandle_t timer;
static uint32_t calls;

static void callback(TimerHandle_t expired) {
  CHECK(expired == timer);
  calls++;
}

static uint32_t callback_bits(void) { return low_bits((uintptr_t)callback); }

static uint32_t id(void) { return tband_freertos_timer_number(timer); }

static void create(const char *name, TickType_t period, BaseType_t auto_reload) {
  timer = xTimerCreate(name, period, auto_reload, NULL, callback);
  CHECK(timer != NULL);
  calls = 0;
  expect("timer_created timer_id=%u period=%u auto_reload=%u callback=%u", id(), (uint32_t)period,
         (uint32_t)auto_reload, callback_bits());
  expect_metadata("timer_name timer_id=%u name=\"%s\"", id(), name);
}

static void expect_sent(uint32_t command, uint32_t value, uint32_t result) {
  expect("timer_command_sent timer_id=%u command=%u value=%u result=%u", id(), command, value, result);
}

static void expect_received(uint32_t command, uint32_t value) {
  expect("timer_command_received timer_id=%u command=%u value=%u", id(), command, value);
}

static void expect_expired(void) {
  expect("timer_expired timer_id=%u callback=%u", id(), callback_bits());
}

/* The timer task is at it before the sender is back. */
static void expect_done(uint32_t command, uint32_t value) {
  expect_received(command, value);
  expect_sent(command, value, 1);
}

/* --- Commands ------------------------------------------------------------------------------------- */

static void delete(void) {
  expect_done(DELETE, 0);
  CHECK(xTimerDelete(timer, 0) == pdPASS);
}

static void by_tasks(void) {
  create("once", 3, pdFALSE);
  expect_done(START, now());
  CHECK(xTimerStart(timer, 0) == pdPASS);
  expect_expired();
  vTaskDelay(5);
  CHECK(calls == 1);

  expect_done(RESET, now());
  CHECK(xTimerReset(timer, 0) == pdPASS);
  expect_done(CHANGE_PERIOD, 2);
  CHECK(xTimerChangePeriod(timer, 2, 0) == pdPASS);
  expect_expired();
  vTaskDelay(4);
  CHECK(calls == 2);

  expect_done(START, now());
  CHECK(xTimerStart(timer, 10) == pdPASS);
  expect_done(STOP, 0);
  CHECK(xTimerStop(timer, 0) == pdPASS);
  vTaskDelay(4);
  CHECK(calls == 2);
  delete();
}

/* The timer task runs after the interrupt. */
static void commands_isr(BaseType_t *woken) {
  const uint32_t time = (uint32_t)xTaskGetTickCountFromISR();
  expect_sent(START_FROM_ISR, time, 1);
  CHECK(xTimerStartFromISR(timer, woken) == pdPASS);
  expect_sent(RESET_FROM_ISR, time, 1);
  CHECK(xTimerResetFromISR(timer, woken) == pdPASS);
  expect_sent(CHANGE_PERIOD_FROM_ISR, 4, 1);
  CHECK(xTimerChangePeriodFromISR(timer, 4, woken) == pdPASS);
  expect_sent(STOP_FROM_ISR, 0, 0); /* the queue holds three */
  CHECK(xTimerStopFromISR(timer, woken) == pdFAIL);
  CHECK(*woken == pdTRUE);
  expect_received(START_FROM_ISR, time);
  expect_received(RESET_FROM_ISR, time);
  expect_received(CHANGE_PERIOD_FROM_ISR, 4);
}

static void stop_isr(BaseType_t *woken) {
  expect_sent(STOP_FROM_ISR, 0, 1);
  CHECK(xTimerStopFromISR(timer, woken) == pdPASS);
  expect_received(STOP_FROM_ISR, 0);
}

static void by_interrupts(void) {
  create("isr", 9, pdTRUE);
  interrupt(commands_isr);
  expect_expired();
  vTaskDelay(6);
  CHECK(calls == 1);
  interrupt(stop_isr);
  vTaskDelay(6);
  CHECK(calls == 1);
  delete();
}

/* --- The timer task has to wait --------------------------------------------------------------------- */

static void late(void) {
  create("late", 2, pdTRUE);
  /* Above the timer task: it finds the timer expired three times when it gets to the command. */
  vTaskPrioritySet(NULL, PRIORITY_TOP);
  const uint32_t start = now();
  expect_sent(START, start, 1);
  CHECK(xTimerStart(timer, 0) == pdPASS);
  for (unsigned i = 0; i < 7; i++) {
    tick();
  }
  CHECK(calls == 0);
  expect_received(START, start);
  for (unsigned i = 0; i < 3; i++) {
    expect_expired();
  }
  vTaskPrioritySet(NULL, PRIORITY_DRIVER);
  CHECK(calls == 3);

  /* Active, and again late: the kernel catches up. */
  vTaskPrioritySet(NULL, PRIORITY_TOP);
  for (unsigned i = 0; i < 5; i++) {
    tick();
  }
  for (unsigned i = 0; i < 3; i++) {
    expect_expired();
  }
  vTaskPrioritySet(NULL, PRIORITY_DRIVER);
  CHECK(calls == 6);

  /* No room. */
  vTaskPrioritySet(NULL, PRIORITY_TOP);
  for (unsigned i = 0; i < 3; i++) {
    expect_sent(STOP, 0, 1);
    CHECK(xTimerStop(timer, 0) == pdPASS);
  }
  expect_sent(STOP, 0, 0);
  CHECK(xTimerStop(timer, 0) == pdFAIL);
  for (unsigned i = 0; i < 3; i++) {
    expect_received(STOP, 0);
  }
  vTaskPrioritySet(NULL, PRIORITY_DRIVER);
  delete();
}

/* --- Pended function calls ------------------------------------------------------------------------------ */

static uint32_t sum;

static void add(void *parameter1, uint32_t parameter2) {
  CHECK(parameter1 == &sum);
  sum += parameter2;
}

static void expect_pend(const char *event, uint32_t parameter2, uint32_t result) {
  expect("%s function=%u parameter1=%u parameter2=%u result=%u", event, low_bits((uintptr_t)add),
         low_bits((uintptr_t)&sum), parameter2, result);
}

static void pend_isr(BaseType_t *woken) {
  for (uint32_t i = 1; i <= 4; i++) {
    const BaseType_t fits = (i <= 3) ? pdPASS : pdFAIL;
    expect_pend("pend_func_call_from_isr", i, (uint32_t)fits);
    CHECK(xTimerPendFunctionCallFromISR(add, &sum, i, woken) == fits);
  }
}

static void pended(void) {
  expect_pend("pend_func_call", 100, 1);
  CHECK(xTimerPendFunctionCall(add, &sum, 100, 0) == pdPASS);
  interrupt(pend_isr);
  CHECK(sum == 106);
  vTaskPrioritySet(NULL, PRIORITY_TOP);
  for (uint32_t i = 0; i < 4; i++) {
    const BaseType_t fits = (i < 3) ? pdPASS : pdFAIL;
    expect_pend("pend_func_call", i, (uint32_t)fits);
    CHECK(xTimerPendFunctionCall(add, &sum, i, 0) == fits);
  }
  vTaskPrioritySet(NULL, PRIORITY_DRIVER);
  CHECK(sum == 109);
}

/* It lives on, as it was changed: what the metadata buffer has in the end. */
static void left_over(void) {
  enum { NEVER = 100000000 };
  create("left over", 1, pdFALSE);
  expect_done(CHANGE_PERIOD, NEVER);
  CHECK(xTimerChangePeriod(timer, NEVER, 0) == pdPASS);
  vTimerSetReloadMode(timer, pdTRUE);
  expect_metadata("timer_info timer_id=%u period=%u auto_reload=1", id(), (uint32_t)NEVER);
}

void class_timer(void) {
  by_tasks();
  by_interrupts();
  late();
  pended();

  create("first", 1, pdFALSE);
  expect_metadata("timer_name timer_id=%u name=\"second\"", id());
  tband_freertos_timer_name(timer, "second");
  delete();

  exhaust_heap();
  expect("create_failed object=%u", (uint32_t)OBJECT_TIMER);
  CHECK(xTimerCreate("none", 1, pdFALSE, NULL, callback) == NULL);
  release_heap();
  left_over();
}
