/* The port of examples/bare-metal with the timer that Cortex-M0+ gets: SysTick, which QEMU has on every
 * core. */
#ifndef TBAND_PORT_H_
#define TBAND_PORT_H_

#include "board.h"
#include "recording.h"
#include "tband_systick_timer.h"

#define tband_portTIMESTAMP() tband_port_systick()
#define tband_portTIMESTAMP_FREQUENCY_HZ BOARD_CLOCK_HZ
#define tband_portBACKEND_STREAM_DATA(buf, len) tband_ring_put(&recording_ring, (buf), (len))

#include "tband_cortex_m.h"

#endif /* TBAND_PORT_H_ */
