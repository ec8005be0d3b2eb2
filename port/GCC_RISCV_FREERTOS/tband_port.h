/* tband port: FreeRTOS on 32-bit RISC-V in machine mode with GCC or clang, one hart.
 *
 * Copy it. Add what your backend needs: see the README beside this file. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "FreeRTOS.h"
#include "task.h"

/* The cycle counter instead of mtime: finer on many chips, and it needs the clock of the core in Hz.
 * #define tband_portCPU_CLOCK_HZ 100000000 */

#if !defined(tband_portCPU_CLOCK_HZ)
#if configMTIME_BASE_ADDRESS != 0
/* The kernel's own tick source. configCPU_CLOCK_HZ is the speed that the kernel takes for mtime's,
 * whatever the clock of the core is. */
#define tband_portMTIME_ADDRESS (configMTIME_BASE_ADDRESS)
#define tband_portMTIME_HZ configCPU_CLOCK_HZ
#else
#define tband_portCPU_CLOCK_HZ configCPU_CLOCK_HZ
#endif
#endif

#include "tband_riscv.h"

#endif /* TBAND_PORT_H */
