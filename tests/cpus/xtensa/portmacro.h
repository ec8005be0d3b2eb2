/* A port of the kernel for one Xtensa core with register windows. The packages of the kernel have none. */
#ifndef PORTMACRO_H
#define PORTMACRO_H
#include <stdint.h>

typedef uint32_t StackType_t;
typedef int32_t BaseType_t;
typedef uint32_t UBaseType_t;
typedef uint32_t TickType_t;
#define portMAX_DELAY ((TickType_t)0xFFFFFFFFUL)
#define portTICK_TYPE_IS_ATOMIC 1
#define portSTACK_GROWTH (-1)
#define portTICK_PERIOD_MS ((TickType_t)1000 / configTICK_RATE_HZ)
#define portBYTE_ALIGNMENT 16
#define portPOINTER_SIZE_TYPE uint32_t
#define portTASK_FUNCTION_PROTO(name, argument) void name(void *argument)
#define portTASK_FUNCTION(name, argument) void name(void *argument)

/* A synchronous exception: it comes in critical sections, too. Each task has its own level. */
#define portYIELD() __asm volatile("syscall" ::: "memory")

static inline UBaseType_t port_raise_level(void) {
  UBaseType_t ps;
  __asm volatile("rsil %0, 3" : "=r"(ps)::"memory");
  return ps;
}
static inline void port_restore_level(UBaseType_t ps) { __asm volatile("wsr %0, ps\n\trsync" : : "r"(ps) : "memory"); }

#define portDISABLE_INTERRUPTS() ((void)port_raise_level())
static inline void port_lower_level(void) {
  UBaseType_t ps;
  __asm volatile("rsil %0, 0" : "=r"(ps)::"memory");
}
#define portENABLE_INTERRUPTS() port_lower_level()
#define portSET_INTERRUPT_MASK_FROM_ISR() port_raise_level()
#define portCLEAR_INTERRUPT_MASK_FROM_ISR(ps) port_restore_level(ps)

#define portCRITICAL_NESTING_IN_TCB 1
void vTaskEnterCritical(void);
void vTaskExitCritical(void);
#define portENTER_CRITICAL() vTaskEnterCritical()
#define portEXIT_CRITICAL() vTaskExitCritical()

#endif
