/* tband port of the example: Cortex-M4F without an RTOS, with TIM2 for timestamps. Packets are taken by
 * src/uart_*.c. */
#ifndef TBAND_PORT_H_
#define TBAND_PORT_H_

#include "stm32f405.h"

#define tband_portSTM32_TIM                TIM2
#define tband_portSTM32_TIM_CLOCK_HZ       TIMER_HZ
#define tband_portSTM32_TIM_PRESCALER      TIMER_PRESCALER
#define tband_portSTM32_TIM_CLOCK_ENABLE() (RCC->APB1ENR |= RCC_APB1ENR_TIM2EN)
#include "tband_stm32_timer.h"

#include "tband_cortex_m.h"

#endif /* TBAND_PORT_H_ */
