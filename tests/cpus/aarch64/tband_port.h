/* The project's port. */
#ifndef BOARD_TBAND_PORT_H
#define BOARD_TBAND_PORT_H
#include "board.h"
#define tband_portSTRICT_ALIGN 1
#ifdef APP_RTOS
#include "GCC_AARCH64_FREERTOS/tband_port.h"
#else
#include "GCC_AARCH64/tband_port.h"
#endif
#endif
