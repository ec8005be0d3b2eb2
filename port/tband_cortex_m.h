/* Port for any Cortex-M without an RTOS, one core, GCC or clang. Included by a tband_port.h.
 *
 * Critical section: PRIMASK. Timer: see tband_cortex_m_timer.h. */
#ifndef TBAND_CORTEX_M_H
#define TBAND_CORTEX_M_H

#include <stdint.h>

#include "tband_cortex_m_timer.h"

/* Disables all interrupts, and restores the previous state: nests, and never enables interrupts that
 * were disabled. The memory clobber keeps the compiler from moving accesses out of the section. */
static inline uint32_t tband_port_disable_interrupts(void) {
  uint32_t primask;
  __asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask)::"memory");
  return primask;
}
static inline void tband_port_restore_interrupts(uint32_t primask) {
  __asm volatile("msr primask, %0" ::"r"(primask) : "memory");
}
#define tband_portENTER_CRITICAL_FROM_ANY() \
  const uint32_t tband_port_primask = tband_port_disable_interrupts()
#define tband_portEXIT_CRITICAL_FROM_ANY() tband_port_restore_interrupts(tband_port_primask)

/* With several cores this header cannot determine the core's number. */
#ifndef tband_portNUMBER_OF_CORES
#define tband_portNUMBER_OF_CORES 1
#ifndef tband_portGET_CORE_ID
#define tband_portGET_CORE_ID() 0
#endif
#endif

#endif /* TBAND_CORTEX_M_H */
