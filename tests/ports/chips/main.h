/* What tband_stm32_timer.h takes of the chip's and HAL's headers. Names and bits as in RM0090, 18.4. */
#ifndef FAKE_STM32_H
#define FAKE_STM32_H

#include <stdint.h>

typedef struct {
  volatile uint32_t CR1, SR, EGR, CNT, PSC, ARR;
} TIM_TypeDef;

#define TIM_CR1_CEN 0x1U
#define TIM_EGR_UG 0x1U

/* Each access is seen. */
TIM_TypeDef *fake_tim2(void);
#define TIM2 fake_tim2()

void fake_clock_enable(void);
#define __HAL_RCC_TIM2_CLK_ENABLE() \
  do {                              \
    fake_clock_enable();            \
  } while (0)

#endif
