/* Cortex-M3 without an RTOS, with a counter of the board as timer. Packets are taken by examples/uart/src/uart.c. */
#include "board.h"

#define tband_portCOUNTER32() BOARD_COUNTER
#define tband_portCOUNTER32_HZ BOARD_CLOCK_HZ

#include "tband_cortex_m.h"
