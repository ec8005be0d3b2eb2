/* tband port of the example: both cores, one timer of 1 MHz for them, and between RP2040's cores a spin lock of the
 * chip. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

/* The number of cores is the kernel's; the lock is number 31, which main() claims. */
#include "tband_rp2040.h"

#include "tband_cortex_m_freertos.h"

#endif /* TBAND_PORT_H */
