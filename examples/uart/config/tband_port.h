/* tband port of the example: Cortex-M3 without an RTOS, with a counter of the board as timer (QEMU has no cycle
 * counter). Packets are taken by src/uart.c. */
#ifndef TBAND_PORT_H_
#define TBAND_PORT_H_

#include "board.h"

#define tband_portCOUNTER32()  BOARD_COUNTER
#define tband_portCOUNTER32_HZ BOARD_CLOCK_HZ

#include "tband_cortex_m.h"

#endif /* TBAND_PORT_H_ */
