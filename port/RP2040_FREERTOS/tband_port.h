/* tband port: FreeRTOS on RP2040 and RP2350 (its Arm cores) with the Pico SDK, one core or both.
 *
 * Copy it. Add the definitions that your backend needs: see the README beside this file. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

/* The timer of 1 MHz, core id and lock. As many cores as the kernel has. */
#include "tband_rp2040.h"

#include "tband_cortex_m_freertos.h"

#endif /* TBAND_PORT_H */
