/* tband port of the test: FreeRTOS on a Cortex-M4F, with a counter of the board as timer. */
#ifndef TBAND_PORT_H_
#define TBAND_PORT_H_

#include "board.h"

#define tband_portCOUNTER32()  BOARD_COUNTER
#define tband_portCOUNTER32_HZ BOARD_CLOCK_HZ

#include "tband_cortex_m_freertos.h"

#endif /* TBAND_PORT_H_ */
