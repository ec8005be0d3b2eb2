/* Class STACK: what tasks have never used of their stack, when they are switched out for the fourth time
 * each, and when they are deleted, by themselves or by another task. Only what is recorded of the tasks of
 * this program is compared. */
#include "../harness.h"

static uint32_t margin_of(TaskHandle_t task) {
  return (uint32_t)uxTaskGetStackHighWaterMark(task) * (uint32_t)sizeof(StackType_t);
}

static void expect_margin(TaskHandle_t task) {
  expect("task_stack_high_water_mark task_id=%u bytes=%u", number_of(task), margin_of(task));
}

/* Uses more stack than anything that the task does later. */
static uint32_t dig(uint32_t depth) {
  volatile uint32_t waste[16];
  waste[depth % 16U] = depth;
  return (depth == 0) ? 0 : dig(depth - 1U) + waste[depth % 16U];
}

static void sampled(void *parameter) {
  (void)parameter;
  (void)dig(8);
  const TaskHandle_t me = xTaskGetCurrentTaskHandle();
  for (unsigned i = 0; i < 7; i++) {
    vTaskDelay(1);
  }
  for (unsigned i = 0; i < 2 + 1; i++) {
    expect_margin(me);
  }
  end_task();
}

static void deleted(void *parameter) {
  (void)parameter;
  (void)dig(8);
  for (;;) {
    vTaskSuspend(NULL);
  }
}

void class_stack(void) {
  /* The count of switches is shared by tasks whose numbers end alike, and goes on from any value: of
   * eight switches, the one at the end included, two are looked at, and of four one. */
  (void)start_task(sampled, PRIORITY_LOW);
  vTaskDelay(20);

  const TaskHandle_t task = start_task(deleted, PRIORITY_HIGH);
  for (unsigned i = 0; i < 3; i++) {
    vTaskResume(task);
  }
  for (unsigned i = 0; i < 1 + 1; i++) {
    expect_margin(task);
  }
  vTaskDelete(task);
}
