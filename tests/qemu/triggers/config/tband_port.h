/* tband port of the test: FreeRTOS on a Cortex-M4F. Time is the program's own. */
#ifndef TBAND_PORT_H_
#define TBAND_PORT_H_

#include <stdint.h>

extern volatile uint32_t port_now, port_step; /* each look at the timer takes a step */
#define tband_portCOUNTER32()  (port_now += port_step)
#define tband_portCOUNTER32_HZ 1000000

#include "tband_cortex_m_freertos.h"

#endif /* TBAND_PORT_H_ */
