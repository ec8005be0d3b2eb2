/* Port for Xtensa with windowed or CALL0 registers, with or without FreeRTOS, GCC or clang. Included by a tband_port.h.
 *
 * Critical section: PS.INTLEVEL, raised and restored. It masks the interrupts up to the level whose handlers can be
 * written in C, and never lowers the level that it finds. Interrupts of higher levels must not record.
 * Timer: tband_portTIMESTAMP(), defined already, or the cycle counter CCOUNT at tband_portCPU_CLOCK_HZ, extended to 64
 * bits. CCOUNT is of one core, and its rate changes with the core's clock. */
#ifndef TBAND_XTENSA_H
#define TBAND_XTENSA_H

#include <stdint.h>

/* XCHAL_EXCM_LEVEL of the core; 3 on ESP32, S2 and S3. */
#ifndef tband_portXTENSA_LEVEL
#define tband_portXTENSA_LEVEL 3
#endif

static inline uint32_t tband_port_raise_level(void) {
  uint32_t ps;
  __asm volatile("rsr.ps %0" : "=r"(ps) : : "memory");
  if ((ps & 15U) < (uint32_t)(tband_portXTENSA_LEVEL)) {
    /* An interrupt in between restores PS before it returns. RSIL takes effect at once. */
    __asm volatile("rsil %0, %1" : "=r"(ps) : "i"(tband_portXTENSA_LEVEL) : "memory");
  }
  return ps;
}

static inline void tband_port_restore_level(uint32_t ps) {
  __asm volatile("wsr.ps %0\n\trsync" : : "r"(ps) : "memory");
}

#define tband_portENTER_CRITICAL_FROM_ANY() const uint32_t tband_port_ps = tband_port_raise_level()
#define tband_portEXIT_CRITICAL_FROM_ANY() tband_port_restore_level(tband_port_ps)

#if !defined(tband_portTIMESTAMP)
#ifndef tband_portCPU_CLOCK_HZ
#error "tband: how fast is the core's clock, which CCOUNT counts? Put into tband_port.h:"
#error "    #define tband_portCPU_CLOCK_HZ 160000000"
#include TBAND_STOP
#endif
#include "tband_extend32.h"

static tband_extend32_state tband_port_cycles_state;

/** Cycles since the reset. Inside the recorder's critical section only. */
static inline uint64_t tband_port_cycles(void) {
  uint32_t now;
  __asm volatile("rsr.ccount %0" : "=r"(now));
  return tband_extend32(&tband_port_cycles_state, now);
}

#define tband_portTIMESTAMP() tband_port_cycles()
#define tband_portTIMESTAMP_FREQUENCY_HZ (tband_portCPU_CLOCK_HZ)
#define tband_portTIMESTAMP_ADD_WRAPS(wraps) tband_extend32_add_wraps(&tband_port_cycles_state, (wraps))
#endif

/* With several cores this header cannot determine the core's number. */
#ifndef tband_portNUMBER_OF_CORES
#define tband_portNUMBER_OF_CORES 1
#ifndef tband_portGET_CORE_ID
#define tband_portGET_CORE_ID() 0
#endif
#endif

#endif /* TBAND_XTENSA_H */
