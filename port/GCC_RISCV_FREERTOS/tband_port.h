/* tband port: FreeRTOS on RISC-V of 32 and 64 bits in machine mode with GCC or clang, as many harts as the kernel has.
 *
 * Copy it. Add the definitions that your backend needs: see the README beside this file. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "FreeRTOS.h"
#include "task.h"

/* The cycle counter instead of mtime: finer on many chips, and it needs the clock of the core in Hz.
 * #define tband_portCPU_CLOCK_HZ 100000000
 * mtime by the register `time`, where the cores have it, at its speed in Hz: faster than by its address.
 * #define tband_portTIME_HZ 10000000 */

/* The kernel's own port supports one hart. A port for several harts defines portGET_CORE_ID(). */
#if !defined(tband_portNUMBER_OF_CORES) && defined(configNUMBER_OF_CORES)
#if configNUMBER_OF_CORES > 1
#define tband_portNUMBER_OF_CORES configNUMBER_OF_CORES
#define tband_portGET_CORE_ID() portGET_CORE_ID()
#endif
#endif

#if !defined(tband_portCPU_CLOCK_HZ) && !defined(tband_portTIME_HZ)
#if configMTIME_BASE_ADDRESS != 0
/* The kernel's own tick source. configCPU_CLOCK_HZ is the rate that the kernel assumes for mtime, whatever the core's
 * clock is. */
#define tband_portMTIME_ADDRESS (configMTIME_BASE_ADDRESS)
#define tband_portMTIME_HZ configCPU_CLOCK_HZ
#else
#define tband_portCPU_CLOCK_HZ configCPU_CLOCK_HZ
#endif
#endif

#include "tband_riscv.h"

#endif /* TBAND_PORT_H */
