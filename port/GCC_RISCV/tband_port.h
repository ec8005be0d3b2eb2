/* tband port: RISC-V of 32 and 64 bits in machine mode with GCC or clang, no RTOS, one hart.
 *
 * Copy it and set the timer. Add the definitions that your backend needs: see the README beside this file. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

/* mtime, if the chip has it: it is the same for all harts and runs while the core sleeps.
 * #define tband_portMTIME_ADDRESS 0x0200BFF8
 * #define tband_portMTIME_HZ 10000000 */

/* Core clock in Hz, a number or a variable, for the cycle counter that is used otherwise: it sets the
 * length of a tick, so it has to be yours.
 * #define tband_portCPU_CLOCK_HZ 100000000 */

#include "tband_riscv.h"

#endif /* TBAND_PORT_H */
