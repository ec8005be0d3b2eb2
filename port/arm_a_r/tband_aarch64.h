/* Port for Cortex-A in AArch64, with GCC or clang. Included by a tband_port.h.
 *
 * Critical section: DAIF.I, saved and restored in a local, so it nests from anywhere. It masks every IRQ, also those
 * that the kernel's sections leave on, which mask by the priority register of the GIC. FIQs stay on and must not
 * record. Timer: tband_portTIMESTAMP(), if that is defined already; else the generic timer's CNTVCT_EL0, the same for
 * all cores, at CNTFRQ_EL0, which the boot loader sets. 64 bits: it does not wrap. */
#ifndef TBAND_AARCH64_H
#define TBAND_AARCH64_H

#include <stdbool.h>
#include <stdint.h>

#include "tband_alignment.h"

#if !defined(tband_portTIMESTAMP)
/* Reads after a barrier, because the CPU may read the counter early. */
static inline uint64_t tband_port_time(void) {
  uint64_t now;
  __asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(now)::"memory");
  return now;
}
static inline uint32_t tband_port_timer_hz(void) {
  uint64_t hz;
  __asm volatile("mrs %0, cntfrq_el0" : "=r"(hz));
  return (uint32_t)hz;
}
#define tband_portTIMESTAMP() tband_port_time()
#define tband_portTIMESTAMP_RAW() ((uint32_t)tband_port_time())
#define tband_portTIMESTAMP_FREQUENCY_HZ tband_port_timer_hz()
#endif

/* Disables interrupts, and restores their state: nests, and never enables interrupts that were disabled. */
static inline uint64_t tband_port_disable_interrupts(void) {
  uint64_t daif;
  __asm volatile("mrs %0, daif\n\tmsr daifset, #2" : "=r"(daif)::"memory");
  return daif;
}
static inline void tband_port_restore_interrupts(uint64_t daif) {
  __asm volatile("msr daif, %0" ::"r"(daif) : "memory");
}
#define tband_portENTER_CRITICAL_FROM_ANY() const uint64_t tband_port_daif = tband_port_disable_interrupts()
#define tband_portEXIT_CRITICAL_FROM_ANY() tband_port_restore_interrupts(tband_port_daif)

/* With several cores the port defines both. */
#ifndef tband_portNUMBER_OF_CORES
#define tband_portNUMBER_OF_CORES 1
#ifndef tband_portGET_CORE_ID
#define tband_portGET_CORE_ID() 0
#endif
#endif

#endif /* TBAND_AARCH64_H */
