/* tband port: FreeRTOS on an STM32 with a Cortex-M, GCC or clang, one core; the timer is TIM2, which keeps running in
 * sleep.
 *
 * Copy it and set the timer's clock. Add the definitions that your backend needs: see the README beside this file. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

/* The chip's own names. CubeMX writes this header; without it the chip's, such as "stm32f4xx.h". */
#include "main.h"

/* The timer's clock in Hz: "APB1 Timer clocks" in CubeMX' clock configuration.
 * #define tband_portSTM32_TIM_CLOCK_HZ 84000000 */

#define tband_portSTM32_TIM TIM2
#define tband_portSTM32_TIM_CLOCK_ENABLE() __HAL_RCC_TIM2_CLK_ENABLE()
#include "tband_stm32_timer.h"

#include "tband_cortex_m_freertos.h"

#endif /* TBAND_PORT_H */
