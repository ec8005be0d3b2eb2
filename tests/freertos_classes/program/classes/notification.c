/* Class NOTIFICATION: each action, by tasks and interrupts; takes and waits that find something, block, or
 * time out; both ways to clear. */
#include "../harness.h"

enum { NO_ACTION = 0, SET_BITS = 1, INCREMENT = 2, OVERWRITE = 3, WRITE = 4, WRITE_REFUSED = 5 };

static TaskHandle_t task;
static uint32_t value; /* what the task's notification value must be */

static uint32_t after(uint32_t action, uint32_t with) {
  switch (action) {
    case SET_BITS:
      return value | with;
    case INCREMENT:
      return value + 1U;
    case OVERWRITE:
    case WRITE:
      return with;
    default:
      return value;
  }
}

static void expect_notify(const char *event, uint32_t index, uint32_t action, uint32_t with) {
  value = after(action, with);
  expect("%s task_id=%u index=%u action=%u value=%u value_after=%u", event, number_of(task), index,
         action, with, value);
}

static void notify(uint32_t action, uint32_t with) {
  expect_notify("task_notify", 0, action, with);
  CHECK(xTaskNotify(task, with, (eNotifyAction)action) == pdPASS);
}

/* --- Waits -------------------------------------------------------------------------------------- */

static void expect_wait_end(uint32_t index, uint32_t received) {
  expect("curtask_notify_wait index=%u value=%u received=%u", index, value, received);
}

static void waiter(void *parameter) {
  (void)parameter;
  uint32_t found;
  task = xTaskGetCurrentTaskHandle();
  value = 0;
  /* One wait for each action, and one for each action from an interrupt. */
  for (unsigned i = 0; i < 10; i++) {
    expect("curtask_block_on_notify_wait index=0 ticks_to_wait=%u", (uint32_t)portMAX_DELAY);
    CHECK(xTaskNotifyWait(0, 0, &found, portMAX_DELAY) == pdTRUE && found == value);
    expect_wait_end(0, 1);
  }
  value = 0; /* each index has its own */
  expect("curtask_block_on_notify_wait index=2 ticks_to_wait=3");
  CHECK(xTaskNotifyWaitIndexed(2, 0, 0, &found, 3) == pdFALSE);
  expect_wait_end(2, 0);
  CHECK(xTaskNotifyWaitIndexed(2, 0, 0, &found, 0) == pdFALSE);
  expect_wait_end(2, 0);
  end_task();
}

static void each_action_isr(BaseType_t *woken) {
  static const uint32_t actions[] = {NO_ACTION, SET_BITS, INCREMENT, OVERWRITE, WRITE};
  static unsigned at;
  const uint32_t action = actions[at++ % 5U];
  expect_notify("task_notify_from_isr", 0, action, 0x90U + action);
  CHECK(xTaskNotifyFromISR(task, 0x90U + action, (eNotifyAction)action, woken) == pdPASS);
  CHECK(*woken == pdTRUE);
}

static void waits(void) {
  (void)start_task(waiter, PRIORITY_HIGH);
  notify(WRITE, 0x100);
  notify(SET_BITS, 0x8001);
  notify(INCREMENT, 0);
  notify(OVERWRITE, 0xFFFFFFFFU);
  notify(NO_ACTION, 5);
  for (unsigned i = 0; i < 5; i++) {
    interrupt(each_action_isr);
  }
  vTaskDelay(5); /* the time-out */
}

/* --- Notifications that meet another one --------------------------------------------------------- */

static void refused_isr(BaseType_t *woken) {
  expect_notify("task_notify_from_isr", 0, WRITE_REFUSED, 44);
  CHECK(xTaskNotifyFromISR(task, 44, eSetValueWithoutOverwrite, woken) == pdFAIL);
}

/* The driver notifies itself, so nothing waits. */
static void pending(void) {
  uint32_t found;
  task = xTaskGetCurrentTaskHandle();
  value = 0;
  notify(WRITE, 42);
  expect_notify("task_notify", 0, WRITE_REFUSED, 43);
  CHECK(xTaskNotify(task, 43, eSetValueWithoutOverwrite) == pdFAIL);
  interrupt(refused_isr);
  expect_wait_end(0, 1); /* before it clears bits on exit */
  CHECK(xTaskNotifyWait(0, 0x2, &found, portMAX_DELAY) == pdTRUE && found == 42);
  value &= ~UINT32_C(0x2);

  notify(SET_BITS, 0x700);
  expect("task_notify_state_clear task_id=%u index=0", my_number());
  CHECK(xTaskNotifyStateClear(NULL) == pdTRUE);
  expect("task_notify_state_clear task_id=%u index=0", my_number());
  CHECK(xTaskNotifyStateClear(task) == pdFALSE);
  expect("task_notify_value_clear task_id=%u index=0 bits=%u", my_number(), UINT32_C(0x300));
  CHECK(ulTaskNotifyValueClear(NULL, 0x300) == value);
  value &= ~UINT32_C(0x300);
  expect_wait_end(0, 0);
  CHECK(xTaskNotifyWait(0, 0, &found, 0) == pdFALSE && found == value);
}

/* --- As counting semaphores ------------------------------------------------------------------------ */

static void taker(void *parameter) {
  (void)parameter;
  task = xTaskGetCurrentTaskHandle();
  value = 0;
  for (unsigned i = 0; i < 2; i++) {
    expect("curtask_block_on_notify_take index=1 ticks_to_wait=100");
    CHECK(ulTaskNotifyTakeIndexed(1, pdFALSE, 100) == 1);
    expect("curtask_notify_take index=1 value=1 value_after=0");
    value = 0;
  }
  expect("curtask_block_on_notify_take index=1 ticks_to_wait=2");
  CHECK(ulTaskNotifyTakeIndexed(1, pdTRUE, 2) == 0);
  expect("curtask_notify_take index=1 value=0 value_after=0");
  end_task();
}

static void give_isr(BaseType_t *woken) {
  value++;
  expect("task_notify_give_from_isr task_id=%u index=1 value_after=%u", number_of(task), value);
  vTaskNotifyGiveIndexedFromISR(task, 1, woken);
}

static void takes(void) {
  (void)start_task(taker, PRIORITY_HIGH);
  expect_notify("task_notify", 1, INCREMENT, 0);
  CHECK(xTaskNotifyGiveIndexed(task, 1) == pdPASS);
  interrupt(give_isr);
  vTaskDelay(4);

  task = xTaskGetCurrentTaskHandle();
  value = 0;
  for (unsigned i = 0; i < 3; i++) {
    interrupt(give_isr);
  }
  expect("curtask_notify_take index=1 value=3 value_after=2");
  CHECK(ulTaskNotifyTakeIndexed(1, pdFALSE, 0) == 3);
  expect("curtask_notify_take index=1 value=2 value_after=0");
  CHECK(ulTaskNotifyTakeIndexed(1, pdTRUE, 0) == 2);
  expect("curtask_notify_take index=1 value=0 value_after=0");
  CHECK(ulTaskNotifyTakeIndexed(1, pdTRUE, 0) == 0);
}

void class_notification(void) {
  waits();
  pending();
  takes();
}
