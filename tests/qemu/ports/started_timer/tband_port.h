/* The port of examples/bare-metal with a timer that is off after reset, as the cycle counters are that QEMU
 * does not have: the second half of the board's dual timer, which counts down. Nothing but the recorder
 * starts it. */
#ifndef TBAND_PORT_H_
#define TBAND_PORT_H_

#include "board.h"
#include "recording.h"

#define TIMER(offset) (*(volatile uint32_t *)(BOARD_TIMERS + 0x2020UL + (offset)))

static inline void port_start_timer(void) {
  const uint32_t on = 0x82UL; /* enabled, free-running, 32 bits */
  if (TIMER(0x8) != on) {
    TIMER(0x0) = UINT32_MAX;
    TIMER(0x8) = on;
  }
}

#define tband_portCOUNTER32() (UINT32_MAX - TIMER(0x4))
#define tband_portCOUNTER32_HZ BOARD_CLOCK_HZ
#define tband_portTIMESTAMP_START() port_start_timer()
#define tband_portBACKEND_STREAM_DATA(buf, len) tband_ring_put(&recording_ring, (buf), (len))

#include "tband_cortex_m.h"

#endif /* TBAND_PORT_H_ */
