/*
 * A port layer of FreeRTOS V11 for several 32-bit RISC-V harts in machine mode. The kernel's own port for RISC-V is
 * for one hart. One critical section for tasks and interrupts of all cores, as the kernel requires of a port with
 * several: interrupts of the core are disabled, and two locks are held.
 *
 * Harts are 0 to configNUMBER_OF_CORES - 1. Floating point registers are not saved.
 */
#ifndef PORTMACRO_H
#define PORTMACRO_H

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t StackType_t;
typedef int32_t BaseType_t;
typedef uint32_t UBaseType_t;
typedef uint32_t TickType_t;

#define portSTACK_TYPE           StackType_t
#define portBASE_TYPE            BaseType_t
#define portPOINTER_SIZE_TYPE    uint32_t
#define portMAX_DELAY            ((TickType_t)0xFFFFFFFFUL)
#define portTICK_TYPE_IS_ATOMIC  1
#define portTICK_PERIOD_MS       ((TickType_t)1000 / configTICK_RATE_HZ)
#define portSTACK_GROWTH         (-1)
#define portBYTE_ALIGNMENT       16
#define portNOP()                __asm volatile("nop")
#define portMEMORY_BARRIER()     __asm volatile("" ::: "memory")
#define portDONT_DISCARD         __attribute__((used))
#define portTASK_FUNCTION_PROTO(function, parameters) void function(void *parameters)
#define portTASK_FUNCTION(function, parameters)       void function(void *parameters)

/* --- Cores ----------------------------------------------------------------------------------- */

static inline BaseType_t port_core_id(void) {
  BaseType_t hart;
  __asm volatile("csrr %0, mhartid" : "=r"(hart));
  return hart;
}
#define portGET_CORE_ID() port_core_id()

/* mscratch: the core's interrupt stack while a task runs, 0 inside of interrupts; see context.S. */
static inline BaseType_t port_is_in_interrupt(void) {
  uint32_t interrupt_stack;
  __asm volatile("csrr %0, mscratch" : "=r"(interrupt_stack));
  return (interrupt_stack == 0U) ? 1 : 0;
}
#define portCHECK_IF_IN_ISR() port_is_in_interrupt()

/* The task yields its core: a trap, which switches. */
#define portYIELD() __asm volatile("ecall" ::: "memory")
/* In an interrupt: the switch happens when the outermost one ends. */
void port_yield_at_end_of_interrupt(void);
#define portYIELD_FROM_ISR(is_needed)       \
  do {                                      \
    if ((is_needed) != 0) {                 \
      port_yield_at_end_of_interrupt();     \
    }                                       \
  } while (0)
#define portEND_SWITCHING_ISR(is_needed) portYIELD_FROM_ISR(is_needed)
/* Makes another core switch, by a software interrupt. */
void port_yield_core(BaseType_t core);
#define portYIELD_CORE(core) port_yield_core(core)

/* Notifies the application of each switch; called in tasks.c, with interrupts disabled and the locks held. */
#ifdef configTASK_SWITCH_HOOK
#define portTASK_SWITCH_HOOK(tcb) configTASK_SWITCH_HOOK(tcb)
#endif

/* --- Interrupts of this core -------------------------------------------------------------------- */

#define portMSTATUS_MIE 8U

static inline UBaseType_t port_mask(void) {
  UBaseType_t mstatus;
  __asm volatile("csrrci %0, mstatus, 8" : "=r"(mstatus)::"memory");
  return mstatus;
}
static inline void port_unmask(UBaseType_t before) {
  __asm volatile("csrs mstatus, %0" ::"r"(before & portMSTATUS_MIE) : "memory");
}
#define portDISABLE_INTERRUPTS()                    ((void)port_mask())
#define portENABLE_INTERRUPTS()                     port_unmask(portMSTATUS_MIE)
#define portSET_INTERRUPT_MASK()                    port_mask()
#define portCLEAR_INTERRUPT_MASK(before)            port_unmask(before)
#define portSET_INTERRUPT_MASK_FROM_ISR()           port_mask()
#define portCLEAR_INTERRUPT_MASK_FROM_ISR(before)   port_unmask(before)

/* --- Locks between cores, which a core may take again ----------------------------------------- */

typedef struct {
  volatile uint32_t owner; /* the core's number + 1; 0: unlocked */
  uint32_t count;          /* nesting depth of the owner */
} port_lock;
extern port_lock port_isr_lock, port_task_lock;
void port_lock_get(port_lock *lock, BaseType_t core);
void port_lock_release(port_lock *lock, BaseType_t core);
#define portGET_ISR_LOCK(core)      port_lock_get(&port_isr_lock, (core))
#define portRELEASE_ISR_LOCK(core)  port_lock_release(&port_isr_lock, (core))
#define portGET_TASK_LOCK(core)     port_lock_get(&port_task_lock, (core))
#define portRELEASE_TASK_LOCK(core) port_lock_release(&port_task_lock, (core))

/* --- Critical sections: the kernel's, which nest on each core ---------------------------------- */

#define portCRITICAL_NESTING_IN_TCB 0
extern UBaseType_t port_nesting[];
#define portGET_CRITICAL_NESTING_COUNT(core)       (port_nesting[core])
#define portSET_CRITICAL_NESTING_COUNT(core, x)    (port_nesting[core] = (x))
#define portINCREMENT_CRITICAL_NESTING_COUNT(core) (port_nesting[core]++)
#define portDECREMENT_CRITICAL_NESTING_COUNT(core) (port_nesting[core]--)

void vTaskEnterCritical(void);
void vTaskExitCritical(void);
UBaseType_t vTaskEnterCriticalFromISR(void);
void vTaskExitCriticalFromISR(UBaseType_t before);
#define portENTER_CRITICAL()                vTaskEnterCritical()
#define portEXIT_CRITICAL()                 vTaskExitCritical()
#define portENTER_CRITICAL_FROM_ISR()       vTaskEnterCriticalFromISR()
#define portEXIT_CRITICAL_FROM_ISR(before)  vTaskExitCriticalFromISR(before)

/* --- For the application's interrupts -------------------------------------------------------------- */

/* The application's handler of all interrupts of a core, with its code in mcause; on the core's interrupt stack, with
 * interrupts disabled. It may enable them, so that others nest. */
void application_interrupt(BaseType_t core, uint32_t code);
enum { PORT_SOFTWARE_INTERRUPT = 3, PORT_TIMER_INTERRUPT = 7 };

/* In the timer interrupt of core configTICK_CORE: the kernel's tick, and when the next one is. */
void port_tick(void);
/* In the software interrupt: returns its reasons, bits of port_raise(). The port has handled its own. */
uint32_t port_software_interrupt(void);
/* Raises the software interrupt of a core, also its own. Any context. Bit 0 is the port's, others are free. */
void port_raise(BaseType_t core, uint32_t reasons);
enum { PORT_REASON_YIELD = 1 };
/* Sets the time of a core's timer interrupt. Each core sets its own. */
void port_set_timer(BaseType_t core, uint64_t time);
/* The machine's time, one for all cores, in ticks of configMTIME_HZ. */
static inline uint64_t port_time(void) {
  uint32_t high;
  uint32_t low;
  uint32_t again;
  do {
    __asm volatile("csrr %0, timeh" : "=r"(high));
    __asm volatile("csrr %0, time" : "=r"(low));
    __asm volatile("csrr %0, timeh" : "=r"(again));
  } while (again != high);
  return ((uint64_t)high << 32) | low;
}
static inline uint32_t port_low_time(void) {
  uint32_t low;
  __asm volatile("csrr %0, time" : "=r"(low));
  return low;
}

#endif /* __ASSEMBLER__ */

#endif /* PORTMACRO_H */
