/* Port for FreeRTOS on any Cortex-M, one core, GCC or clang. Included by a tband_port.h.
 *
 * Critical section: the kernel's own. Timer: see tband_cortex_m_timer.h. */
#ifndef TBAND_CORTEX_M_FREERTOS_H
#define TBAND_CORTEX_M_FREERTOS_H

#include <stdbool.h>
#include <stdint.h>

#include "FreeRTOS.h"
#include "task.h"

/* Core clock in Hz; sets the length of a tick. */
#if !defined(tband_portCPU_CLOCK_HZ) && defined(configCPU_CLOCK_HZ)
#define tband_portCPU_CLOCK_HZ configCPU_CLOCK_HZ
#endif

#include "tband_cortex_m_timer.h"

/* Masks the interrupts that the kernel masks, and restores the previous mask: works in tasks, in
 * interrupts and inside the kernel's own critical sections, and never enables interrupts that were
 * disabled. On Cortex-M3 and up that is BASEPRI: interrupts above configMAX_SYSCALL_INTERRUPT_PRIORITY
 * stay enabled and must not call tband. On M0+ it is PRIMASK: everything. The kernel's macros are
 * compiler barriers and handle the errata of the core. */
#define tband_portENTER_CRITICAL_FROM_ANY() \
  const uint32_t tband_port_mask = (uint32_t)portSET_INTERRUPT_MASK_FROM_ISR()
#define tband_portEXIT_CRITICAL_FROM_ANY() portCLEAR_INTERRUPT_MASK_FROM_ISR(tband_port_mask)

/* Returns true inside the kernel's critical section, or if all interrupts are disabled. */
static inline bool tband_port_is_masked(void) {
  uint32_t mask;
  __asm volatile("mrs %0, primask" : "=r"(mask)::"memory");
#if !defined(__ARM_ARCH_6M__) && !defined(__ARM_ARCH_8M_BASE__)
  if (mask == 0U) {
    __asm volatile("mrs %0, basepri" : "=r"(mask)::"memory");
#if defined(configMAX_SYSCALL_INTERRUPT_PRIORITY)
    return (mask != 0U) && (mask <= (uint32_t)(configMAX_SYSCALL_INTERRUPT_PRIORITY));
#endif
  }
#endif
  return mask != 0U;
}
#define tband_portIS_MASKED() tband_port_is_masked()

/* With several cores this header cannot determine the core's number. */
#ifndef tband_portNUMBER_OF_CORES
#define tband_portNUMBER_OF_CORES 1
#ifndef tband_portGET_CORE_ID
#define tband_portGET_CORE_ID() 0
#endif
#endif

#endif /* TBAND_CORTEX_M_FREERTOS_H */
