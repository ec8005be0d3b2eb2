/* The project's port, with the number of the core. */
#ifndef BOARD_TBAND_PORT_H
#define BOARD_TBAND_PORT_H
#include "board.h"
#include "core.h"
#define tband_portSTRICT_ALIGN 1
#define tband_portNUMBER_OF_CORES CORES
#define tband_portGET_CORE_ID() board_core()
#include "GCC_AARCH64_FREERTOS/tband_port.h"
#endif
