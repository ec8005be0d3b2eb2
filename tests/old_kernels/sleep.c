/* Sleeps without ticks, in the order of the arguments: each is the number of ticks, after 'i' if an interrupt is
 * recorded before the kernel steps the ticks, after 'e' if it is woken after a quarter of them, after 't' if the ticks
 * are stepped in two parts. A value marker gives the true time after each sleep. */
#include <stdlib.h>

#include "FreeRTOS.h"
#include "task.h"

#include "../c/check.h"
#include "../c/fake_port/fake_port.h"
#include "tband.h"

#define PER_TICK ((uint64_t)(STAND_IN_COUNTS_PER_TICK))

static char how;

static void tick(void) {
  fake_now = (fake_now / PER_TICK + 1U) * PER_TICK + 5U;
  vTaskIncrementTick();
}

static void port_sleep(TickType_t expected) {
  const uint64_t begin = fake_now / PER_TICK;
  const TickType_t ticks = (how == 'e') ? (expected / 4U) : expected;
  fake_now = (begin + ticks) * PER_TICK;
  if (how == 'i') {
    tband_valmarker(2, 0);
  }
  if (how == 't') {
    vTaskStepTick(ticks / 2U);
    vTaskStepTick(ticks - (ticks / 2U) - 1U);
  } else {
    vTaskStepTick(ticks - 1U); /* the last one is the tick that ends the sleep */
  }
  fake_now += 10U;
  vTaskIncrementTick();
}

int main(int argc, char **argv) {
  fake_now = strtoull(argv[1], NULL, 10);
  vTaskIncrementTick();
  pxPortSleep = port_sleep;
  fake_hz = (uint32_t)(PER_TICK * configTICK_RATE_HZ);
  CHECK_EQ(tband_start_streaming(), 0);
  for (int at = 2; at < argc; at++) {
    const char *text = argv[at];
    how = ((*text < '0') || (*text > '9')) ? *text++ : '\0';
    const TickType_t ticks = (TickType_t)strtoul(text, NULL, 10);
    tick();
    fake_now += (PER_TICK * (uint64_t)at) / 40U;
    vTaskDelay(ticks);
    vTaskIdle(ticks);
    tband_valmarker(1, (int64_t)fake_now);
  }
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print_sent();
  return 0;
}
