/* tband port: Cortex-M0 and M0+ with GCC or clang, no RTOS, one core.
 *
 * Copy it and set the clock. Add the definitions that your backend needs: see the README beside this file. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

/* A free-running 32-bit counter that counts up, if the chip has one to spare: better than SysTick.
 * #define tband_portCOUNTER32() (TIMER->TIMERAWL)
 * #define tband_portCOUNTER32_HZ 1000000 */

/* Core clock in Hz, a number or a variable: it sets the length of a tick, so it must match your chip.
 * #define tband_portCPU_CLOCK_HZ 48000000 */

#include "tband_cortex_m.h"

#endif /* TBAND_PORT_H */
