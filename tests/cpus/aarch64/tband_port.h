/* The project's port. */
#ifndef BOARD_TBAND_PORT_H
#define BOARD_TBAND_PORT_H
#include "board.h"
#define tband_portSTRICT_ALIGN 1
#if APP_MODE == APP_FRAMES
#define tband_portBACKEND_STREAM_DATA(buf, len) app_stream((buf), (len))
#endif
#ifdef APP_RTOS
#include "GCC_AARCH64_FREERTOS/tband_port.h"
#else
#include "GCC_AARCH64/tband_port.h"
#endif
#endif
