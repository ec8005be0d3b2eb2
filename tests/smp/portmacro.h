/* A port layer that runs the real SMP kernel on two simulated cores in one thread: see port.c.
 *
 * The macros are those that the kernel asks of a port with several cores. */
#ifndef PORTMACRO_H
#define PORTMACRO_H

#include <stdint.h>

typedef uintptr_t StackType_t;
typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef uint64_t TickType_t;

#define portSTACK_TYPE StackType_t
#define portBASE_TYPE BaseType_t
#define portPOINTER_SIZE_TYPE uintptr_t
#define portMAX_DELAY (~(TickType_t)0)
#define portTICK_PERIOD_MS ((TickType_t)1)
#define portSTACK_GROWTH (-1)
#define portBYTE_ALIGNMENT 16
#define portNOP()
#define portTASK_FUNCTION_PROTO(vFunction, pvParameters) void vFunction(void *pvParameters)
#define portTASK_FUNCTION(vFunction, pvParameters) void vFunction(void *pvParameters)

/* The cores. */
extern volatile BaseType_t simulated_core;
#define portGET_CORE_ID() (simulated_core)
void simulation_yield(BaseType_t core);
#define portYIELD() simulation_yield(simulated_core)
#define portYIELD_CORE(xCoreID) simulation_yield(xCoreID)
#define portYIELD_FROM_ISR(xSwitchRequired)  \
  do {                                       \
    if ((xSwitchRequired) != pdFALSE) {      \
      simulation_yield(simulated_core);      \
    }                                        \
  } while (0)

/* Interrupts of the core that runs. */
UBaseType_t simulation_mask(void);
void simulation_unmask(UBaseType_t before);
BaseType_t simulation_is_in_interrupt(void);
#define portSET_INTERRUPT_MASK() simulation_mask()
#define portCLEAR_INTERRUPT_MASK(before) simulation_unmask(before)
#define portSET_INTERRUPT_MASK_FROM_ISR() simulation_mask()
#define portCLEAR_INTERRUPT_MASK_FROM_ISR(before) simulation_unmask(before)
#define portDISABLE_INTERRUPTS() ((void)simulation_mask())
#define portENABLE_INTERRUPTS() simulation_unmask(0)
#define portCHECK_IF_IN_ISR() simulation_is_in_interrupt()

/* The kernel's two locks. */
void simulation_lock(int lock, BaseType_t core);
void simulation_unlock(int lock, BaseType_t core);
#define portGET_ISR_LOCK(xCoreID) simulation_lock(0, (xCoreID))
#define portRELEASE_ISR_LOCK(xCoreID) simulation_unlock(0, (xCoreID))
#define portGET_TASK_LOCK(xCoreID) simulation_lock(1, (xCoreID))
#define portRELEASE_TASK_LOCK(xCoreID) simulation_unlock(1, (xCoreID))

#define portCRITICAL_NESTING_IN_TCB 0
extern volatile UBaseType_t simulated_nesting[];
#define portGET_CRITICAL_NESTING_COUNT(xCoreID) (simulated_nesting[xCoreID])
#define portSET_CRITICAL_NESTING_COUNT(xCoreID, x) (simulated_nesting[xCoreID] = (x))
#define portINCREMENT_CRITICAL_NESTING_COUNT(xCoreID) (simulated_nesting[xCoreID]++)
#define portDECREMENT_CRITICAL_NESTING_COUNT(xCoreID) (simulated_nesting[xCoreID]--)

extern void vTaskEnterCritical(void);
extern void vTaskExitCritical(void);
extern UBaseType_t vTaskEnterCriticalFromISR(void);
extern void vTaskExitCriticalFromISR(UBaseType_t uxSavedInterruptStatus);
#define portENTER_CRITICAL() vTaskEnterCritical()
#define portEXIT_CRITICAL() vTaskExitCritical()
#define portENTER_CRITICAL_FROM_ISR() vTaskEnterCriticalFromISR()
#define portEXIT_CRITICAL_FROM_ISR(before) vTaskExitCriticalFromISR(before)

#endif
