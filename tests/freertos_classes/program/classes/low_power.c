/* Class LOW_POWER: the idle task sleeps for the whole time that it expected, and is woken early. */
#include "../harness.h"

/* How long each sleep takes, in kernel ticks, and for how long the kernel means to sleep. */
static const struct {
  uint32_t expected;
  uint32_t slept;
} sleeps[] = {{10, 10}, {12, 4}, {8, 1}, {7, 7}};
static unsigned at;

/* The idle task, with the scheduler suspended. */
void harness_sleep(uint32_t ticks) {
  if (at == sizeof sleeps / sizeof sleeps[0]) {
    vTaskStepTick(ticks); /* other programs sleep too */
    return;
  }
  CHECK(ticks == sleeps[at].expected);
  vTaskStepTick(sleeps[at].slept);
  at++;
}

static void expect_sleep(uint32_t ticks) {
  expect("low_power_idle_begin expected_ticks=%u", ticks);
  expect("low_power_idle_end");
}

void class_low_power(void) {
  harness_may_sleep = true;
  const uint32_t before = now();
  expect_sleep(10);
  vTaskDelay(10);
  CHECK(now() == before + 10U);

  expect_sleep(12);
  expect_sleep(8);
  expect_sleep(7);
  vTaskDelay(12);
  CHECK(now() == before + 22U);
  harness_may_sleep = false;
  CHECK(at == sizeof sleeps / sizeof sleeps[0]);

  vTaskDelay(10); /* without leave to sleep there is nothing to record */
}
