/* The project's port for the Zynq-7000. */
#ifndef BOARD_TBAND_PORT_H
#define BOARD_TBAND_PORT_H
#include "board.h"
#define tband_portGLOBAL_TIMER 0xF8F00200
#define tband_portGLOBAL_TIMER_HZ 100000000
#ifdef APP_RTOS
#include "GCC_ARM_CA9_FREERTOS/tband_port.h"
#else
#include "GCC_ARM_CA9/tband_port.h"
#endif
#endif
