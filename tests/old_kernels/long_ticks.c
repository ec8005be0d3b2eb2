/* Numbers of ticks that 32 bits do not hold, where the kernel counts in 64, and tick counts. */
#include "FreeRTOS.h"
#include "task.h"
#include "timers.h"

#include "../c/check.h"
#include "../c/fake_port/fake_port.h"
#include "tband.h"

int main(void) {
  const TickType_t numbers[] = {5, (TickType_t)6000000000ULL, UINT32_MAX, (TickType_t)UINT32_MAX + 1U};
  const TaskHandle_t waiting = xTaskCreate("waiting", 1);
  vTaskSwitchContext(waiting);
  CHECK_EQ(tband_start_streaming(), 0);
  for (size_t at = 0; at < sizeof numbers / sizeof numbers[0]; at++) {
    TickType_t count = 7;
    vTaskDelay(numbers[at]);
    vTaskDelayUntil(&count, numbers[at]);
    vTaskIdle(numbers[at]);
    vTaskStepTick(numbers[at]);
    const TimerHandle_t timer = xTimerCreate("timer", numbers[at], pdTRUE, NULL);
    CHECK_EQ(xTimerGenericCommand(timer, 1, numbers[at]), pdPASS); /* a start, at this tick count */
    CHECK_EQ(xTimerGenericCommand(timer, tmrCOMMAND_CHANGE_PERIOD, numbers[at]), pdPASS);
    vTimerProcess(timer, tmrCOMMAND_CHANGE_PERIOD, numbers[at]);
  }
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print_sent();
  return 0;
}
