/*
 * tband port of the example: FreeRTOS on several RISC-V cores, with the machine's time as timer: one for all cores,
 * which the cycle counters are not. QEMU's cores have the register for it; where there is none define
 * tband_portMTIME_ADDRESS and tband_portMTIME_HZ in place of tband_portTIME_HZ.
 */
#ifndef TBAND_PORT_H_
#define TBAND_PORT_H_

#include "FreeRTOS.h"
#include "task.h"

#define tband_portTIME_HZ         configMTIME_HZ
#define tband_portNUMBER_OF_CORES configNUMBER_OF_CORES
#define tband_portGET_CORE_ID()   portGET_CORE_ID()

/* Packets are taken, see recording.c. Frames go into a ring buffer or are dropped: this never waits. */
#if !TBAND_USES_PACKETS
#include "tband_ring.h"
extern tband_ring recording_ring;
#define tband_portBACKEND_STREAM_DATA(buf, len) tband_ring_put(&recording_ring, (buf), (len))
#endif

/* A full snapshot stops without a call. */
void recording_is_full(void);
#define tband_portBACKEND_SNAPSHOT_BUF_FULL_CALLBACK() recording_is_full()

#include "tband_riscv.h"

#endif /* TBAND_PORT_H_ */
