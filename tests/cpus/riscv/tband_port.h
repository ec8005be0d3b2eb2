/* The project's port. Without an RTOS by each of the timers. */
#ifndef BOARD_TBAND_PORT_H
#define BOARD_TBAND_PORT_H
#include "board.h"
#ifdef APP_RTOS
#include "GCC_RISCV_FREERTOS/tband_port.h"
#else
#if APP_MODE == APP_PACKETS
#define tband_portTIME_HZ 10000000
#elif APP_MODE == APP_FRAMES
#define tband_portCPU_CLOCK_HZ 100000000
#else
#define tband_portMTIME_ADDRESS 0x0200BFF8
#define tband_portMTIME_HZ 10000000
#endif
#include "GCC_RISCV/tband_port.h"
#endif
#endif
