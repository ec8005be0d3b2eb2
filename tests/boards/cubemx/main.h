/* What main.h brings in a project of CubeMX, as far as it is used, for a board that QEMU has: TIM2 is memory, and its
 * count the board's counter. */
#ifndef MAIN_H
#define MAIN_H

#include <stdint.h>

typedef struct {
  volatile uint32_t CR1, SR, EGR, CNT, PSC, ARR;
} TIM_TypeDef;

#define TIM_CR1_CEN 0x1U
#define TIM_EGR_UG 0x1U

TIM_TypeDef *fake_tim2(void);
#define TIM2 fake_tim2()
void fake_tim2_clock(void);
#define __HAL_RCC_TIM2_CLK_ENABLE() fake_tim2_clock()

void project_failed(void);

#endif
