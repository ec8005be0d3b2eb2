/* Port for RISC-V of 32 and 64 bits in machine mode, with or without FreeRTOS, one hart or several, GCC or clang.
 * Included by a tband_port.h.
 *
 * Critical section: mstatus.MIE, saved and restored; the kernel's RISC-V port has no macros for that.
 * Timer: the first of these that there is: tband_portTIMESTAMP(), defined already; the 64-bit mtime at
 * address tband_portMTIME_ADDRESS, counting at tband_portMTIME_HZ; the same by the register `time`, where the cores
 * have it, at tband_portTIME_HZ; the cycle counter mcycle, at tband_portCPU_CLOCK_HZ. All have 64 bits: nothing wraps.
 * mcycle is of one hart: not for several. */
#ifndef TBAND_RISCV_H
#define TBAND_RISCV_H

#include <stdbool.h>
#include <stdint.h>

#if !defined(tband_portTIMESTAMP)

/* Defines a function that returns a counter of 64 bits, and one that returns its low half. With 32 bits the counter has
 * two registers, which are read until the upper one stays the same. With 64 bits it has one, and its ...h is an illegal
 * instruction. */
#if !defined(__riscv_xlen) || (__riscv_xlen == 32)
#define TBAND_PORT_COUNTER(name, low_name, counter)              \
  static inline uint64_t name(void) {                            \
    uint32_t high;                                               \
    uint32_t low;                                                \
    uint32_t again;                                              \
    do {                                                         \
      __asm volatile("csrr %0, " counter "h" : "=r"(high));      \
      __asm volatile("csrr %0, " counter : "=r"(low));           \
      __asm volatile("csrr %0, " counter "h" : "=r"(again));     \
    } while (again != high);                                     \
    return ((uint64_t)high << 32) | low;                         \
  }                                                              \
  static inline uint32_t low_name(void) {                        \
    uint32_t low;                                                \
    __asm volatile("csrr %0, " counter : "=r"(low));             \
    return low;                                                  \
  }
#else
#define TBAND_PORT_COUNTER(name, low_name, counter)              \
  static inline uint64_t name(void) {                            \
    uint64_t now;                                                \
    __asm volatile("csrr %0, " counter : "=r"(now));             \
    return now;                                                  \
  }                                                              \
  static inline uint32_t low_name(void) { return (uint32_t)name(); }
#endif

#if defined(tband_portMTIME_ADDRESS)

#ifndef tband_portMTIME_HZ
#error "tband: how fast does mtime count? Put into tband_port.h:"
#error "    #define tband_portMTIME_HZ 1000000"
#include TBAND_STOP
#endif
#if !defined(__riscv_xlen) || (__riscv_xlen == 32)
/* Two halves, read until the upper one stays the same. */
static inline uint64_t tband_port_mtime(void) {
  volatile const uint32_t *const mtime = (volatile const uint32_t *)(tband_portMTIME_ADDRESS);
  uint32_t high;
  uint32_t low;
  do {
    high = mtime[1];
    low = mtime[0];
  } while (mtime[1] != high);
  return ((uint64_t)high << 32) | low;
}
#else
static inline uint64_t tband_port_mtime(void) {
  return *(volatile const uint64_t *)(tband_portMTIME_ADDRESS);
}
#endif
#define tband_portTIMESTAMP() tband_port_mtime()
#define tband_portTIMESTAMP_RAW() (*(volatile const uint32_t *)(tband_portMTIME_ADDRESS))
#define tband_portTIMESTAMP_FREQUENCY_HZ (tband_portMTIME_HZ)

#elif defined(tband_portTIME_HZ)

TBAND_PORT_COUNTER(tband_port_time, tband_port_low_time, "time")
#define tband_portTIMESTAMP() tband_port_time()
#define tband_portTIMESTAMP_RAW() tband_port_low_time()
#define tband_portTIMESTAMP_FREQUENCY_HZ (tband_portTIME_HZ)

#else

#if defined(tband_portNUMBER_OF_CORES)
#if tband_portNUMBER_OF_CORES > 1
#error "tband: each core has a cycle counter of its own; several need one timer. Put into tband_port.h one of:"
#error "    #define tband_portTIME_HZ 10000000          /* the register `time`, if the cores have it */"
#error "    #define tband_portMTIME_ADDRESS 0x0200BFF8  /* and tband_portMTIME_HZ */"
#include TBAND_STOP
#endif
#endif
#ifndef tband_portCPU_CLOCK_HZ
#error "tband: how fast is the core? Put into tband_port.h:"
#error "    #define tband_portCPU_CLOCK_HZ 100000000"
#include TBAND_STOP
#endif
TBAND_PORT_COUNTER(tband_port_cycles, tband_port_low_cycles, "mcycle")
#define tband_portTIMESTAMP() tband_port_cycles()
#define tband_portTIMESTAMP_RAW() tband_port_low_cycles()
#define tband_portTIMESTAMP_FREQUENCY_HZ (tband_portCPU_CLOCK_HZ)

#endif

#endif /* tband_portTIMESTAMP */

/* Disables interrupts, and restores their state: nests, and never enables interrupts that were disabled. */
static inline uintptr_t tband_port_disable_interrupts(void) {
  uintptr_t mstatus;
  __asm volatile("csrrci %0, mstatus, 8" : "=r"(mstatus)::"memory");
  return mstatus;
}
static inline void tband_port_restore_interrupts(uintptr_t mstatus) {
  __asm volatile("csrs mstatus, %0" ::"r"(mstatus & 8U) : "memory");
}
#define tband_portENTER_CRITICAL_FROM_ANY() \
  const uintptr_t tband_port_mstatus = tband_port_disable_interrupts()
#define tband_portEXIT_CRITICAL_FROM_ANY() tband_port_restore_interrupts(tband_port_mstatus)

/* Interrupts are off: in the kernel's critical sections they are. */
static inline bool tband_port_is_masked(void) {
  uintptr_t mstatus;
  __asm volatile("csrr %0, mstatus" : "=r"(mstatus)::"memory");
  return (mstatus & 8U) == 0U;
}
#define tband_portIS_MASKED() tband_port_is_masked()

/* With several cores this header cannot determine the core's number. */
#ifndef tband_portNUMBER_OF_CORES
#define tband_portNUMBER_OF_CORES 1
#ifndef tband_portGET_CORE_ID
#define tband_portGET_CORE_ID() 0
#endif
#endif

#endif /* TBAND_RISCV_H */
