/* A program in the form of CubeMX: a task sends to a queue, and the default task receives and ends it all. */
#include "main.h"

#include "cmsis_os2.h"

/* USER CODE BEGIN Includes */
/* USER CODE END Includes */

#include "semihost.h"

#define COUNTER (*(volatile uint32_t *)0x40028018UL) /* of the board, 25 MHz */

uint32_t SystemCoreClock = 25000000;

static TIM_TypeDef tim2;
static uint32_t is_clocked;

/* Counts once it is clocked and started. */
TIM_TypeDef *fake_tim2(void) {
  if (is_clocked && (tim2.CR1 == TIM_CR1_CEN) && (tim2.ARR == 0xFFFFFFFFU)) {
    tim2.CNT = COUNTER;
  }
  return &tim2;
}

void fake_tim2_clock(void) { is_clocked = 1; }

/* configASSERT. */
void project_failed(void) { semihost_exit(2); }

static osMessageQueueId_t samples;

static void sensor(void *argument) {
  (void)argument;
  for (uint32_t sample = 0; sample < 10; sample++) {
    (void)osMessageQueuePut(samples, &sample, 0, osWaitForever);
    (void)osDelay(2);
  }
  (void)osThreadSuspend(osThreadGetId());
}

static void default_task(void *argument) {
  (void)argument;
  uint32_t sample = 0;
  for (uint32_t at = 0; at < 10; at++) {
    if (osMessageQueueGet(samples, &sample, NULL, 1000) != osOK) {
      semihost_exit(3);
    }
  }
  (void)tband_stop_snapshot();
  const int file = semihost_create("trace.bin");
  const uint32_t is_written =
      semihost_write(file, tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
  semihost_exit((is_written && semihost_close(file) && (sample == 9)) ? 0 : 1);
}

int main(void) {
  /* USER CODE BEGIN 2 */
  /* USER CODE END 2 */
  (void)osKernelInitialize();
  samples = osMessageQueueNew(4, sizeof(uint32_t), NULL);
  const osThreadAttr_t default_attributes = {.name = "defaultTask", .stack_size = 1024};
  const osThreadAttr_t sensor_attributes = {
      .name = "sensor", .stack_size = 1024, .priority = osPriorityAboveNormal};
  (void)osThreadNew(default_task, NULL, &default_attributes);
  (void)osThreadNew(sensor, NULL, &sensor_attributes);
  (void)osKernelStart();
  return 4;
}
