/* Class TICK: ticks as they come, while the scheduler is suspended, caught up, and jumped over. */
#include "../harness.h"

/* The tick count that the kernel has when it comes. */
static void expect_tick(uint32_t count) { expect("tick tick_count=%u", count); }

void class_tick(void) {
  uint32_t count = now();
  for (unsigned i = 0; i < 3; i++) {
    expect_tick(count++);
  }
  vTaskDelay(3);
  expect_tick(count++);
  tick();
  CHECK(now() == count);

  /* Two that the kernel puts off, and then makes up for. */
  vTaskSuspendAll();
  for (unsigned i = 0; i < 2; i++) {
    expect_tick(count);
    tick();
  }
  CHECK(now() == count);
  for (unsigned i = 0; i < 2; i++) {
    expect_tick(count++);
  }
  CHECK(xTaskResumeAll() == pdFALSE);
  CHECK(now() == count);

  for (unsigned i = 0; i < 4; i++) {
    expect_tick(count++);
  }
  CHECK(xTaskCatchUpTicks(4) == pdFALSE);

  /* The last tick of a sleep is a real one, which wakes the tasks that wait for it. */
  harness_may_sleep = true;
  expect("tick_count_increase ticks=%u", UINT32_C(8));
  count += 8U;
  expect_tick(count++);
  vTaskDelay(9);
  harness_may_sleep = false;
  CHECK(now() == count);
}
