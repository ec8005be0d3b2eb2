/* The project's port for Xtensa, with the core's cycle counter. */
#ifndef BOARD_TBAND_PORT_H
#define BOARD_TBAND_PORT_H
#include "board.h"
#define tband_portCPU_CLOCK_HZ 10000000
#include "ESP_IDF/tband_xtensa.h"
#endif
