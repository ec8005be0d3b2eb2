/* The project's port, with the board's counter as its timer. */
#ifndef BOARD_TBAND_PORT_H
#define BOARD_TBAND_PORT_H
#include "board.h"
#define tband_portCOUNTER32() (*(volatile uint32_t *)0x1000005CU)
#define tband_portCOUNTER32_HZ 24000000
#ifdef APP_RTOS
#include "GCC_ARM9_FREERTOS/tband_port.h"
#else
#include "GCC_ARM9/tband_port.h"
#endif
#endif
