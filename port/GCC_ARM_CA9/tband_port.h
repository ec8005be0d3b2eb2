/* tband port: Cortex-A9 without an RTOS, with GCC or clang, one core.
 *
 * Copy it and set the timer. Add the definitions that your backend needs: see the README beside this file. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

/* The global timer, at PERIPHBASE + 0x200, and its speed in Hz: half of the CPU clock on most chips. Zynq-7000:
 * #define tband_portGLOBAL_TIMER 0xF8F00200
 * #define tband_portGLOBAL_TIMER_HZ 333333343
 * Cortex-A5, A7, A15 and A53 in its 32-bit state, by the generic timer:
 * #define tband_portGENERIC_TIMER_HZ 24000000 */

#include "arm_a_r/tband_arm_a_r.h"

#endif /* TBAND_PORT_H */
