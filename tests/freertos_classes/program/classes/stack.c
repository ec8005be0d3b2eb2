/* Class STACK: the unused bytes of a task's stack, at every fourth time that a task is switched out, and when
 * a task deletes it: the same one or another. Only events of this program's tasks are compared. */
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
  /* Tasks whose numbers end alike share the count of switches, which may begin at any value: of eight
   * switches, the one at the end included, two are sampled, and of four one. */
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
