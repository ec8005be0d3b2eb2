/* Class TASK: tasks created and deleted in each state, every switch and every task that becomes ready, both
 * delays, suspending and resuming, and priorities that are set, inherited and given back. */
#include "../harness.h"
#include "semphr.h"

static uint32_t driver, idle;
static uint32_t next; /* number of the next task that is created */
static TaskHandle_t task;
static SemaphoreHandle_t mutex;

static void expect_task(const char *event, uint32_t number) {
  expect("%s task_id=%u", event, number);
}

static void expect_runs(uint32_t number) { expect_task("task_switched_in", number); }

/* Ready, and so urgent that it runs. */
static void expect_wakes(uint32_t number) {
  expect_task("task_to_rdy_state", number);
  expect_runs(number);
}

static void expect_priority(const char *event, uint32_t number, uint32_t priority) {
  expect("%s task_id=%u priority=%u", event, number, priority);
}

/* The calling task's end, and who runs then. */
_Noreturn static void end_for(uint32_t then) {
  expect_task("task_deleted", my_number());
  expect_runs(then);
  end_task();
}

/* By the driver. */
static TaskHandle_t start(TaskFunction_t code, UBaseType_t priority) {
  const uint32_t number = next++;
  expect_task("task_created", number);
  expect_priority("task_priority_set", number, (uint32_t)priority);
  expect_metadata("task_name task_id=%u name=\"helper\"", number);
  expect_task("task_to_rdy_state", number);
  if (priority > PRIORITY_DRIVER) {
    expect_runs(number);
  }
  return start_task(code, priority);
}

static void stop(TaskHandle_t other) {
  expect_task("task_deleted", number_of(other));
  vTaskDelete(other);
}

/* --- Delays ----------------------------------------------------------------------------------------- */

static void delays(void) {
  expect("curtask_delay ticks=2");
  expect_runs(idle);
  expect_wakes(driver);
  vTaskDelay(2);

  TickType_t since = xTaskGetTickCount();
  expect("curtask_delay_until time_to_wake=%u", (uint32_t)since + 3U);
  expect_runs(idle);
  expect_wakes(driver);
  CHECK(xTaskDelayUntil(&since, 3) == pdTRUE);

  /* Too late to wait, and a delay of nothing: both only yield. */
  since -= 5U;
  expect_runs(driver);
  CHECK(xTaskDelayUntil(&since, 2) == pdFALSE);
  expect_runs(driver);
  vTaskDelay(0);
}

/* --- Creation, deletion, switches ---------------------------------------------------------------------- */

static void short_lived(void *parameter) {
  (void)parameter;
  end_for(driver);
}

static void long_delay(void *parameter) {
  (void)parameter;
  expect("curtask_delay ticks=1000");
  expect_runs(driver);
  vTaskDelay(1000);
  harness_failed("the delay ends", __FILE__, __LINE__);
}

static void creation(void) {
  (void)start(short_lived, PRIORITY_HIGH);
  stop(start(short_lived, PRIORITY_LOW)); /* while it is ready */
  stop(start(long_delay, PRIORITY_HIGH)); /* while it waits */

  expect_runs(driver);
  taskYIELD();
  (void)start(short_lived, PRIORITY_DRIVER);
  expect_runs(next - 1U);
  taskYIELD();

  /* No event goes with the memory. */
  static StaticTask_t memory;
  static StackType_t stack[configMINIMAL_STACK_SIZE];
  const uint32_t number = next++;
  expect_task("task_created", number);
  expect_priority("task_priority_set", number, PRIORITY_LOW);
  expect_metadata("task_name task_id=%u name=\"static\"", number);
  expect_task("task_to_rdy_state", number);
  stop(xTaskCreateStatic(short_lived, "static", configMINIMAL_STACK_SIZE, NULL, PRIORITY_LOW, stack, &memory));
}

/* --- Suspended tasks -------------------------------------------------------------------------------------- */

static void suspends_itself(void *parameter) {
  (void)parameter;
  for (unsigned i = 0; i < 4; i++) {
    expect_task("task_suspended", my_number());
    expect_runs(driver);
    vTaskSuspend(NULL);
  }
  harness_failed("nobody resumes it", __FILE__, __LINE__);
}

static void resume_isr(BaseType_t *woken) {
  expect_task("task_resumed_from_isr", number_of(task));
  if (xTaskGetSchedulerState() == taskSCHEDULER_RUNNING) {
    expect_wakes(number_of(task));
  }
  *woken = xTaskResumeFromISR(task);
}

static void suspension(void) {
  task = start(suspends_itself, PRIORITY_HIGH);
  const uint32_t number = number_of(task);
  expect_task("task_resumed", number);
  expect_wakes(number);
  vTaskResume(task);

  interrupt(resume_isr);

  /* It is ready only when the scheduler resumes. */
  vTaskSuspendAll();
  interrupt(resume_isr);
  expect_wakes(number);
  CHECK(xTaskResumeAll() == pdTRUE);
  stop(task);

  /* By another task, while it waits. */
  task = start(long_delay, PRIORITY_HIGH);
  expect_task("task_suspended", number_of(task));
  vTaskSuspend(task);
  stop(task);

  /* Nothing to resume. */
  task = start(long_delay, PRIORITY_HIGH);
  vTaskResume(task);
  stop(task);
}

/* --- Priorities --------------------------------------------------------------------------------------------- */

static void lowers_itself(void *parameter) {
  (void)parameter;
  expect_priority("task_priority_set", my_number(), PRIORITY_LOW);
  expect_task("task_to_rdy_state", my_number());
  expect_runs(driver);
  vTaskPrioritySet(NULL, PRIORITY_LOW);
  harness_failed("it runs again", __FILE__, __LINE__);
}

static void set_priorities(void) {
  task = start(lowers_itself, PRIORITY_LOW);
  const uint32_t number = number_of(task);
  expect_priority("task_priority_set", number, PRIORITY_HIGH);
  expect_wakes(number);
  vTaskPrioritySet(task, PRIORITY_HIGH);
  expect_priority("task_priority_set", number, PRIORITY_LOW); /* as it is */
  vTaskPrioritySet(task, PRIORITY_LOW);
  stop(task);

  task = start(long_delay, PRIORITY_HIGH);
  /* While it waits: the kernel looks for another task to run all the same. */
  expect_priority("task_priority_set", number_of(task), PRIORITY_TOP);
  expect_runs(driver);
  vTaskPrioritySet(task, PRIORITY_TOP);
  stop(task);
}

/* Holds the mutex twice while the driver wants it: first it is ready then, later it is suspended. */
static void holder(void *parameter) {
  (void)parameter;
  const uint32_t me = my_number();
  CHECK(xSemaphoreTake(mutex, 0) == pdPASS);
  expect_wakes(driver);
  tick();
  expect_priority("task_priority_disinherit", me, PRIORITY_LOW);
  expect_task("task_to_rdy_state", me);
  expect_wakes(driver);
  CHECK(xSemaphoreGive(mutex) == pdPASS);

  CHECK(xSemaphoreTake(mutex, 0) == pdPASS);
  expect_task("task_suspended", me);
  expect_runs(idle);
  expect_wakes(driver);
  vTaskSuspend(NULL);
  CHECK(xSemaphoreGive(mutex) == pdPASS);
  end_for(idle);
}

static void inherited_priorities(void) {
  mutex = xSemaphoreCreateMutex();
  task = start(holder, PRIORITY_LOW);
  const uint32_t number = number_of(task);
  expect("curtask_delay ticks=1");
  expect_runs(number);
  vTaskDelay(1);
  expect_task("task_to_rdy_state", number); /* in its new list */
  expect_priority("task_priority_inherit", number, PRIORITY_DRIVER);
  expect_runs(number);
  CHECK(xSemaphoreTake(mutex, portMAX_DELAY) == pdPASS);
  CHECK(xSemaphoreGive(mutex) == pdPASS);

  expect("curtask_delay ticks=2");
  expect_runs(number);
  vTaskDelay(2);
  expect_priority("task_priority_inherit", number, PRIORITY_DRIVER);
  expect_runs(idle);
  expect_wakes(driver);
  CHECK(xSemaphoreTake(mutex, 2) == pdFAIL);
  expect_priority("task_priority_disinherit", number, PRIORITY_LOW);

  expect_task("task_resumed", number);
  expect_task("task_to_rdy_state", number);
  vTaskResume(task);
  expect("curtask_delay ticks=1");
  expect_runs(number);
  vTaskDelay(1);
  expect_wakes(driver);
  vSemaphoreDelete(mutex);
}

void class_task(void) {
  driver = my_number();
  idle = number_of(xTaskGetIdleTaskHandle());
  /* Numbers count up, so those of later tasks are known before they run. */
  const TaskHandle_t first = start_task(short_lived, PRIORITY_LOW);
  next = number_of(first);
  expect_task("task_created", next);
  expect_priority("task_priority_set", next, PRIORITY_LOW);
  expect_metadata("task_name task_id=%u name=\"helper\"", next);
  expect_task("task_to_rdy_state", next++);
  stop(first);

  delays();
  creation();
  suspension();
  set_priorities();
  inherited_priorities();
}
