/* tband port: FreeRTOS on Cortex-M3 with GCC or clang, one core.
 *
 * Copy it and set the clock. Add the definitions that your backend needs: see the README beside this file. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

/* Core clock in Hz, if it is not configCPU_CLOCK_HZ.
 * #define tband_portCPU_CLOCK_HZ 72000000 */

#include "tband_cortex_m_freertos.h"

#endif /* TBAND_PORT_H */
