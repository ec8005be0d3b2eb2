/*
 * tband port of the example: FreeRTOS on a Cortex-M4F, with a counter of the
 * board as timer (QEMU has no cycle counter) and UART0 as transport.
 */
#ifndef TBAND_PORT_H_
#define TBAND_PORT_H_

#include "board.h"
#include "recording.h"

#define tband_portCOUNTER32()    BOARD_COUNTER
#define tband_portCOUNTER32_HZ   BOARD_CLOCK_HZ

/* Packets are taken, see recording.c. Frames go into a ring buffer or are dropped: this never
 * waits. */
#if !TBAND_USES_PACKETS
#define tband_portBACKEND_STREAM_DATA(buf, len) tband_ring_put(&recording_ring, (buf), (len))
#endif

#include "tband_cortex_m_freertos.h"

#endif /* TBAND_PORT_H_ */
