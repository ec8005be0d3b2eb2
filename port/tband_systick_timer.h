/* Timestamps from SysTick, for chips without a cycle counter such as Cortex-M0+.
 *
 * For tband_port.h, which only the shim includes: the state below exists once. SysTick counts down from
 * LOAD to 0 and starts again, with an interrupt; firmware must run it (an RTOS does) and must record at
 * least once in every period, or that period is missing: FreeRTOS' tick sees to that
 * (tband_configTICK_KEEPS_TIME); without it trace the interrupt itself, with tband_isr_enter as its first
 * line. Time does not advance while nothing is recorded. Nothing else may read
 * the control register: reading clears the flag that reports a new period. Not for tickless idle.
 *
 * Where another core has no cycle counter, as in QEMU, put this into tband_port.h above the port's own include:
 *     #include "tband_systick_timer.h"
 *     #define tband_portTIMESTAMP() tband_port_systick()
 *     #define tband_portTIMESTAMP_FREQUENCY_HZ configCPU_CLOCK_HZ
 */
#ifndef TBAND_SYSTICK_TIMER_H
#define TBAND_SYSTICK_TIMER_H

#include <stdint.h>

#ifndef tband_portTIMESTAMP_IS_EXTENDED
#define tband_portTIMESTAMP_IS_EXTENDED 1
#endif

#define TBAND_PORT_SYSTICK_CTRL (*(volatile uint32_t *)0xE000E010UL)
#define TBAND_PORT_SYSTICK_LOAD (*(volatile uint32_t *)0xE000E014UL)
#define TBAND_PORT_SYSTICK_VAL (*(volatile uint32_t *)0xE000E018UL)

/** Returns whether a period has begun since the last call, that is, the counter has reached 0. Reading clears
 * the flag. */
static inline uint32_t tband_port_systick_passed(void) {
  return (TBAND_PORT_SYSTICK_CTRL >> 16) & 1U;
}

/** Core clocks since SysTick was started. Inside the recorder's critical section only. */
static inline uint64_t tband_port_systick(void) {
  static uint64_t periods; /* in clocks: all that have passed */
  static uint64_t last;
  const uint32_t load = TBAND_PORT_SYSTICK_LOAD & 0xFFFFFFU;
  uint32_t passed = tband_port_systick_passed();
  uint32_t val = TBAND_PORT_SYSTICK_VAL;
  if (tband_port_systick_passed() != 0U) { /* in between: the value may be of either period */
    passed++;
    val = TBAND_PORT_SYSTICK_VAL;
  }
  periods += passed * (load + 1U); /* at most twice 2^24 */
  /* The flag is set when the value becomes 0, so a period is 0, LOAD, LOAD - 1, ... 1. */
  const uint64_t now = periods + ((val == 0U) ? 0U : load + 1U - val);
  if (now > last) { /* not if SysTick was restarted in the middle of a period */
    last = now;
  }
  return last;
}

#endif /* TBAND_SYSTICK_TIMER_H */
