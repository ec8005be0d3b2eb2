/* Timestamps from a 32-bit timer of an STM32: TIM2, or TIM5. It keeps running in Sleep mode (WFI), where the cycle
 * counter stops; in Stop mode it stops too.
 *
 * Include it in tband_port.h, before the header of the core and after the chip's own header, whose names it uses:
 *
 *   #include "main.h"                        or "stm32f4xx.h" and the like
 *   #define tband_portSTM32_TIM TIM2
 *   #define tband_portSTM32_TIM_CLOCK_HZ 84000000
 *   #define tband_portSTM32_TIM_CLOCK_ENABLE() __HAL_RCC_TIM2_CLK_ENABLE()
 *   #include "tband_stm32_timer.h"
 *   #include "tband_cortex_m_freertos.h"
 *
 * The recorder starts the timer; one that runs already keeps its prescaler. Nothing else may set or stop it. TIM2 has
 * 16 bits on STM32F1, L0 and L1: see the table of timers in the datasheet.
 * Registers: RM0090 (STM32F4), "General-purpose timers (TIM2 to TIM5)", 18.4; they are the same on other STM32. */
#ifndef TBAND_STM32_TIMER_H
#define TBAND_STM32_TIMER_H

#include <stdint.h>

#ifndef tband_portSTM32_TIM_CLOCK_HZ
#error "tband: how fast is the clock of the timer? CubeMX shows it as APB1 Timer clocks. Put into tband_port.h:"
#error "    #define tband_portSTM32_TIM_CLOCK_HZ 84000000"
#include TBAND_STOP
#endif

/* The timer, as the chip's header calls it. */
#ifndef tband_portSTM32_TIM
#define tband_portSTM32_TIM TIM2
#endif

/* The clock is divided by this, 1 to 65536, a divisor of its Hz. At 84 MHz 1 wraps after 51 s, 84 after 71 minutes. */
#ifndef tband_portSTM32_TIM_PRESCALER
#define tband_portSTM32_TIM_PRESCALER 1
#endif

/* Enables the timer's clock. Leave it undefined if other code enables the clock before the recording starts. */
#ifndef tband_portSTM32_TIM_CLOCK_ENABLE
#define tband_portSTM32_TIM_CLOCK_ENABLE() ((void)0)
#endif

/** Starts the timer if it does not run. Never sets the count of one that runs: time would step back. */
static inline void tband_port_stm32_start(void) {
  tband_portSTM32_TIM_CLOCK_ENABLE();
  if ((tband_portSTM32_TIM->CR1 & TIM_CR1_CEN) == 0U) {
    tband_portSTM32_TIM->CR1 = 0; /* counts up; a new period takes effect at once */
    tband_portSTM32_TIM->PSC = (tband_portSTM32_TIM_PRESCALER) - 1U;
    tband_portSTM32_TIM->ARR = 0xFFFFFFFFU;
    tband_portSTM32_TIM->EGR = TIM_EGR_UG; /* loads the prescaler, and starts at 0 */
    tband_portSTM32_TIM->SR = 0;           /* clears the flag of that update, so that it causes no interrupt */
    tband_portSTM32_TIM->CR1 = TIM_CR1_CEN;
  }
}

#define tband_portCOUNTER32() (tband_portSTM32_TIM->CNT)
#define tband_portCOUNTER32_HZ ((tband_portSTM32_TIM_CLOCK_HZ) / (tband_portSTM32_TIM_PRESCALER))
#define tband_portTIMESTAMP_START() tband_port_stm32_start()

#endif /* TBAND_STM32_TIMER_H */
