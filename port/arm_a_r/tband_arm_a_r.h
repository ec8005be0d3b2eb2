/* Port for Cortex-A and Cortex-R in their 32-bit state, and for ARM7, ARM9 and ARM11, with GCC or clang. Included by a
 * tband_port.h.
 *
 * Critical section: CPSR.I, saved and restored in a local, so it nests from anywhere. It masks every IRQ, also those
 * that the kernel's sections leave on where they mask by the priority register of the GIC. FIQs stay on and must not
 * record.
 *
 * Timer: the first of these that is defined:
 *   tband_portTIMESTAMP()         yours
 *   tband_portCOUNTER32()         a counter of 32 bits, with tband_portCOUNTER32_HZ; it must be read once per wrap, as
 *   a tick that records does tband_portGLOBAL_TIMER        address of the global timer of a Cortex-A9 MPCore,
 *   PERIPHBASE + 0x200, with
 *                                 tband_portGLOBAL_TIMER_HZ. 64 bits, the same for all cores
 *   tband_portGENERIC_TIMER_HZ    the generic timer of Cortex-A7, A15, A53 and R52. 64 bits, the same for all cores
 *   tband_portCPU_CLOCK_HZ        the cycle counter PMCCNTR. 32 bits, of one core; may stop in WFI; from Armv7 on */
#ifndef TBAND_ARM_A_R_H
#define TBAND_ARM_A_R_H

#include <stdbool.h>
#include <stdint.h>

#include "tband_alignment.h"

#if defined(__thumb__) && !defined(__thumb2__)
#error "tband: Thumb instructions of this CPU cannot mask interrupts. Compile tband_shim.c and the hooks with -marm; other files may be Thumb."
#include TBAND_STOP
#endif

#if !defined(tband_portTIMESTAMP)

#if defined(tband_portGLOBAL_TIMER) && !defined(tband_portCOUNTER32)

#define TBAND_PORT_GLOBAL_TIMER(at) (((volatile uint32_t *)(uintptr_t)(tband_portGLOBAL_TIMER))[(at) / 4U])
/* Starts the timer, unless it runs already: the other bits are interrupt and comparator. */
static inline void tband_port_start_timer(void) {
  if ((TBAND_PORT_GLOBAL_TIMER(8U) & 1U) == 0U) {
    TBAND_PORT_GLOBAL_TIMER(8U) |= 1U;
  }
}
static inline uint64_t tband_port_time(void) {
  uint32_t high;
  uint32_t low;
  do {
    high = TBAND_PORT_GLOBAL_TIMER(4U);
    low = TBAND_PORT_GLOBAL_TIMER(0U);
  } while (TBAND_PORT_GLOBAL_TIMER(4U) != high);
  return ((uint64_t)high << 32) | low;
}
#define tband_portTIMESTAMP() tband_port_time()
#define tband_portTIMESTAMP_RAW() TBAND_PORT_GLOBAL_TIMER(0U)
#define tband_portTIMESTAMP_START() tband_port_start_timer()
#define tband_portTIMESTAMP_FREQUENCY_HZ (tband_portGLOBAL_TIMER_HZ)

#elif defined(tband_portGENERIC_TIMER_HZ) && !defined(tband_portCOUNTER32)

/* Reads after a barrier, because the CPU may read the counter early. */
static inline uint64_t tband_port_time(void) {
  uint32_t low;
  uint32_t high;
  __asm volatile("isb\n\tmrrc p15, 1, %0, %1, c14" : "=r"(low), "=r"(high)::"memory");
  return ((uint64_t)high << 32) | low;
}
#define tband_portTIMESTAMP() tband_port_time()
#define tband_portTIMESTAMP_RAW() ((uint32_t)tband_port_time())
#define tband_portTIMESTAMP_FREQUENCY_HZ (tband_portGENERIC_TIMER_HZ)

#else

#if !defined(tband_portCOUNTER32)
#if defined(__ARM_ARCH) && (__ARM_ARCH < 7)
#error "tband: this CPU has no cycle counter. Name a timer of the chip that counts up, in tband_port.h:"
#error "    #define tband_portCOUNTER32() my_counter()"
#error "    #define tband_portCOUNTER32_HZ 1000000"
#include TBAND_STOP
#elif !defined(tband_portCPU_CLOCK_HZ)
#error "tband: which timer, and how fast is it? Put into tband_port.h one of:"
#error "    #define tband_portCPU_CLOCK_HZ 300000000        /* the cycle counter */"
#error "    #define tband_portGENERIC_TIMER_HZ 24000000     /* CNTFRQ; not on Cortex-A9, R4, R5 */"
#error "    #define tband_portGLOBAL_TIMER 0xF8F00200       /* Cortex-A9, and tband_portGLOBAL_TIMER_HZ */"
#error "    #define tband_portCOUNTER32() my_counter()      /* and tband_portCOUNTER32_HZ */"
#include TBAND_STOP
#endif
/* PMCR.E and D off, then the counter: harmless if it runs. */
static inline void tband_port_start_timer(void) {
  uint32_t control;
  __asm volatile("mrc p15, 0, %0, c9, c12, 0" : "=r"(control));
  control = (control | 1U) & ~8U;
  __asm volatile("mcr p15, 0, %0, c9, c12, 0" ::"r"(control));
  __asm volatile("mcr p15, 0, %0, c9, c12, 1" ::"r"(0x80000000U));
}
static inline uint32_t tband_port_cycles(void) {
  uint32_t cycles;
  __asm volatile("mrc p15, 0, %0, c9, c13, 0" : "=r"(cycles));
  return cycles;
}
#define tband_portTIMESTAMP_START() tband_port_start_timer()
#define tband_portCOUNTER32() tband_port_cycles()
#define tband_portCOUNTER32_HZ (tband_portCPU_CLOCK_HZ)
#endif

#include "tband_extend32.h"
static tband_extend32_state tband_port_counter;
static inline uint64_t tband_port_time(void) { return tband_extend32(&tband_port_counter, tband_portCOUNTER32()); }
#define tband_portTIMESTAMP() tband_port_time()
#define tband_portTIMESTAMP_RAW() tband_portCOUNTER32()
#define tband_portTIMESTAMP_ADD_WRAPS(n) tband_extend32_add_wraps(&tband_port_counter, (n))
#define tband_portTIMESTAMP_FREQUENCY_HZ (tband_portCOUNTER32_HZ)

#endif

#endif /* tband_portTIMESTAMP */

/* Disables interrupts, and restores their state: nests, and never enables interrupts that were disabled. */
static inline uint32_t tband_port_disable_interrupts(void) {
  uint32_t cpsr;
#if defined(__ARM_ARCH) && (__ARM_ARCH < 6) /* no CPSID */
  uint32_t masked;
  __asm volatile("mrs %0, cpsr\n\torr %1, %0, #0x80\n\tmsr cpsr_c, %1" : "=&r"(cpsr), "=r"(masked)::"memory");
#else
  __asm volatile("mrs %0, cpsr\n\tcpsid i" : "=r"(cpsr)::"memory");
#endif
  return cpsr;
}
static inline void tband_port_restore_interrupts(uint32_t cpsr) {
  __asm volatile("msr cpsr_c, %0" ::"r"(cpsr) : "memory");
}
#define tband_portENTER_CRITICAL_FROM_ANY() const uint32_t tband_port_cpsr = tband_port_disable_interrupts()
#define tband_portEXIT_CRITICAL_FROM_ANY() tband_port_restore_interrupts(tband_port_cpsr)

/* Only for kernels whose sections mask by CPSR.I too. */
static inline bool tband_port_is_masked(void) {
  uint32_t cpsr;
  __asm volatile("mrs %0, cpsr" : "=r"(cpsr)::"memory");
  return (cpsr & 0x80U) != 0U;
}

/* With several cores the port defines both. */
#ifndef tband_portNUMBER_OF_CORES
#define tband_portNUMBER_OF_CORES 1
#ifndef tband_portGET_CORE_ID
#define tband_portGET_CORE_ID() 0
#endif
#endif

#endif /* TBAND_ARM_A_R_H */
