/* The bare-metal example's port with a timer of 16 bits, as STM32's basic ones: it wraps every 2.6 ms. */
#ifndef TBAND_PORT_H_
#define TBAND_PORT_H_

#include "board.h"
#include "recording.h"

static inline uint64_t port_timestamp(void) {
  static uint64_t now;
  now += (uint16_t)(BOARD_COUNTER - (uint32_t)now);
  return now;
}
#define tband_portTIMESTAMP()             port_timestamp()
#define tband_portTIMESTAMP_IS_EXTENDED   1
#define tband_portTIMESTAMP_FREQUENCY_HZ  BOARD_CLOCK_HZ

#define tband_portBACKEND_STREAM_DATA(buf, len) tband_ring_put(&recording_ring, (buf), (len))

#include "tband_cortex_m.h"

#endif /* TBAND_PORT_H_ */
