/* tband port: FreeRTOS on 32-bit RISC-V in machine mode with GCC or clang, one hart.
 *
 * Copy it and set the timer. Add what your backend needs: see the README beside this file. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "FreeRTOS.h"
#include "task.h"

/* The kernel's own tick source, if the chip has one. */
#if defined(configMTIME_BASE_ADDRESS) && (configMTIME_BASE_ADDRESS != 0) && defined(tband_portMTIME_HZ)
#define tband_portMTIME_ADDRESS (configMTIME_BASE_ADDRESS)
#endif

/* Core clock in Hz, for the cycle counter. */
#ifndef tband_portCPU_CLOCK_HZ
#define tband_portCPU_CLOCK_HZ configCPU_CLOCK_HZ
#endif

#include "tband_riscv.h"

#endif /* TBAND_PORT_H */
