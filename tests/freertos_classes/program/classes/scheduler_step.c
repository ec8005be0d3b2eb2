/* Class SCHEDULER_STEP: each switch, each way into the ready list, and waits with a time limit, one of
 * them beyond the tick counter's wrap. */
#include "../harness.h"

static uint32_t driver;

/* From the running task to another one, which was waiting. */
static void expect_wake(uint32_t from, uint32_t woken) {
  expect("task_in_ready_list task_id=%u", woken);
  expect("task_switched_out task_id=%u", from);
}

static void waiter(void *parameter) {
  (void)parameter;
  const uint32_t me = my_number();
  expect_wake(driver, me);

  expect("curtask_to_delayed_list time_to_wake=%u", now() + 5U);
  expect("task_switched_out task_id=%u", me);
  CHECK(ulTaskNotifyTake(pdTRUE, 5) == 1);

  expect("task_switched_out task_id=%u", me); /* no limit, so no delayed list */
  CHECK(ulTaskNotifyTake(pdTRUE, portMAX_DELAY) == 1);

  /* Woken while the scheduler is suspended. */
  expect("task_switched_out task_id=%u", me);
  CHECK(ulTaskNotifyTake(pdTRUE, portMAX_DELAY) == 1);

  expect("task_switched_out task_id=%u", me);
  end_task();
}

void class_scheduler_step(void) {
  const uint32_t idle = number_of(xTaskGetIdleTaskHandle());
  driver = my_number();

  expect("curtask_to_delayed_list time_to_wake=%u", now() + 2U);
  expect("task_switched_out task_id=%u", driver);
  expect_wake(idle, driver);
  vTaskDelay(2);

  const TaskHandle_t task = start_task(waiter, PRIORITY_HIGH);
  for (unsigned i = 0; i < 2; i++) {
    expect_wake(driver, number_of(task));
    xTaskNotifyGive(task);
  }
  vTaskSuspendAll();
  xTaskNotifyGive(task);
  expect_wake(driver, number_of(task));
  CHECK(xTaskResumeAll() == pdTRUE);

  /* No other task is ready: the kernel switches to the same task again. */
  expect("task_switched_out task_id=%u", driver);
  taskYIELD();

  const uint32_t before = now();
  CHECK(before + 500U < before);
  expect("curtask_to_overflow_delayed_list time_to_wake=%u", before + 500U);
  expect("task_switched_out task_id=%u", driver);
  expect_wake(idle, driver);
  vTaskDelay(500);
  CHECK(now() == before + 500U);
}
