/* Timestamps from the cycle counter of Cortex-M3, M4, M7 and M33: DWT CYCCNT, extended to 64 bits.
 *
 * For tband_port.h, which only the shim includes: the state below exists once. The recorder calls
 * tband_port_start_timer() at each start, as tband_portTIMESTAMP_START(). Not every chip has the counter,
 * and a debugger may turn it off. On most chips it stops while the core sleeps (WFI). */
#ifndef TBAND_DWT_TIMER_H
#define TBAND_DWT_TIMER_H

#include "tband_extend32.h"

#define TBAND_PORT_DEMCR (*(volatile uint32_t *)0xE000EDFCUL)
#define TBAND_PORT_DWT_CTRL (*(volatile uint32_t *)0xE0001000UL)
#define TBAND_PORT_DWT_CYCCNT (*(volatile uint32_t *)0xE0001004UL)
#define TBAND_PORT_DWT_LAR (*(volatile uint32_t *)0xE0001FB0UL)

/** Enables the cycle counter. Harmless if it is enabled already. Any context; 3 stores. */
static inline void tband_port_start_timer(void) {
  TBAND_PORT_DEMCR |= 1UL << 24;     /* TRCENA: power the debug unit */
  TBAND_PORT_DWT_LAR = 0xC5ACCE55UL; /* Cortex-M7 locks the registers; others ignore this */
  TBAND_PORT_DWT_CTRL |= 1UL;        /* CYCCNTENA */
}

static tband_extend32_state tband_port_cycles_state;

/** Cycles since the counter was started. Inside the recorder's critical section only. */
static inline uint64_t tband_port_cycles(void) {
  return tband_extend32(&tband_port_cycles_state, TBAND_PORT_DWT_CYCCNT);
}

#endif /* TBAND_DWT_TIMER_H */
