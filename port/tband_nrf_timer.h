/* Timestamps from a TIMER of an nRF52, nRF53 or nRF91: 32 bits, up to 16 MHz. It keeps running in System ON sleep (WFE,
 * WFI), where the cycle counter stops; it keeps its clock running, which takes current: see tband_nrf_rtc.h.
 *
 * Include it in tband_port.h, before the header of the core and after the chip's own header, whose names it uses:
 *
 *   #include "nrf.h"
 *   #define tband_portNRF_TIMER NRF_TIMER2
 *   #include "tband_nrf_timer.h"
 *   #include "tband_cortex_m_freertos.h"
 *
 * The recorder starts the timer. Nothing else may use it: NRF_TIMER0 belongs to the SoftDevice.
 * Registers: nRF52840 Product Specification, 6.30 "TIMER". */
#ifndef TBAND_NRF_TIMER_H
#define TBAND_NRF_TIMER_H

#include <stdint.h>

/* The timer, as the chip's header calls it. */
#ifndef tband_portNRF_TIMER
#define tband_portNRF_TIMER NRF_TIMER2
#endif

/* 16 MHz are divided by 2 to the power of this, 0 to 9. The default 4 gives 1 MHz, which wraps after 71 minutes and
 * uses the slower clock. */
#ifndef tband_portNRF_TIMER_PRESCALER
#define tband_portNRF_TIMER_PRESCALER 4
#endif

/* The capture register that the count is read by. */
#ifndef tband_portNRF_TIMER_CC
#define tband_portNRF_TIMER_CC 0
#endif

#define TBAND_PORT_NRF_32_BITS 3U /* BITMODE; 0, of 16 bits, after a reset */

/** Starts the timer. The prescaler may be written only while it is; to start one that runs does no harm. */
static inline void tband_port_nrf_start(void) {
  if (tband_portNRF_TIMER->BITMODE != TBAND_PORT_NRF_32_BITS) {
    tband_portNRF_TIMER->TASKS_STOP = 1;
    tband_portNRF_TIMER->MODE = 0; /* counts its clock */
    tband_portNRF_TIMER->BITMODE = TBAND_PORT_NRF_32_BITS;
    tband_portNRF_TIMER->PRESCALER = tband_portNRF_TIMER_PRESCALER;
    tband_portNRF_TIMER->TASKS_CLEAR = 1;
  }
  tband_portNRF_TIMER->TASKS_START = 1;
}

/** Returns the count, which only a capture can read. Inside the recorder's critical section, so no other capture comes
 * in between. */
static inline uint32_t tband_port_nrf_count(void) {
  tband_portNRF_TIMER->TASKS_CAPTURE[tband_portNRF_TIMER_CC] = 1;
  return tband_portNRF_TIMER->CC[tband_portNRF_TIMER_CC];
}

#define tband_portCOUNTER32() tband_port_nrf_count()
#define tband_portCOUNTER32_HZ (16000000U >> (tband_portNRF_TIMER_PRESCALER))
#define tband_portTIMESTAMP_START() tband_port_nrf_start()

#endif /* TBAND_NRF_TIMER_H */
