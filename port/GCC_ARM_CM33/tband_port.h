/* tband port: Cortex-M33 with GCC or clang, no RTOS, one core.
 *
 * Copy it and set the clock. Add the definitions that your backend needs: see the README beside this file. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

/* Core clock in Hz, a number or a variable: it sets the length of a tick, so it must match your chip.
 * #define tband_portCPU_CLOCK_HZ 100000000 */

#include "tband_cortex_m.h"

#endif /* TBAND_PORT_H */
