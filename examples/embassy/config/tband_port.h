/*
 * tband port of the example: Cortex-M3, one core, with a counter of the MPS2 board
 * as timer, because QEMU has no cycle counter.
 */
#ifndef TBAND_PORT_H_
#define TBAND_PORT_H_

#include <stdint.h>

#define tband_portCOUNTER32()  (*(volatile uint32_t *)0x40028018UL)
#define tband_portCOUNTER32_HZ 25000000

#include "tband_cortex_m.h"

#endif /* TBAND_PORT_H_ */
