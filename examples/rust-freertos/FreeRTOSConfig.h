/*
 * Kernel configuration of the example: FreeRTOS V11 on the POSIX port, with what
 * the crate freertos-rust calls. Included by every kernel source file. What
 * tracing needs is at the end.
 */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

/* --- Scheduling ------------------------------------------------------------- */

#define configUSE_PREEMPTION                    1
#define configUSE_TIME_SLICING                  1
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0
#define configTICK_RATE_HZ                      1000
#define configTICK_TYPE_WIDTH_IN_BITS           TICK_TYPE_WIDTH_32_BITS
#define configMAX_PRIORITIES                    8
#define configMAX_TASK_NAME_LEN                 16
#define configIDLE_SHOULD_YIELD                 1

/* --- Memory ------------------------------------------------------------------ */

/* Tasks run on pthread stacks; FreeRTOS' own only hold the port's bookkeeping. */
#define configMINIMAL_STACK_SIZE         256
#define configTOTAL_HEAP_SIZE            ((size_t)(256 * 1024))
#define configSUPPORT_STATIC_ALLOCATION  0
#define configSUPPORT_DYNAMIC_ALLOCATION 1

/* --- Features ----------------------------------------------------------------- */

#define configUSE_MUTEXES             1
#define configUSE_RECURSIVE_MUTEXES   1
#define configUSE_COUNTING_SEMAPHORES 1
#define configQUEUE_REGISTRY_SIZE     4
#define configUSE_TASK_NOTIFICATIONS  1

#define configUSE_TIMERS             1
#define configTIMER_TASK_PRIORITY    6
#define configTIMER_QUEUE_LENGTH     5
#define configTIMER_TASK_STACK_DEPTH configMINIMAL_STACK_SIZE

#define configUSE_IDLE_HOOK            0
#define configUSE_TICK_HOOK            1
#define configUSE_MALLOC_FAILED_HOOK   0
#define configCHECK_FOR_STACK_OVERFLOW 0

/* freertos-rust refers to vTaskDelayUntil by its old name. */
#define INCLUDE_vTaskDelayUntil           1
#define INCLUDE_vTaskDelay                1
#define INCLUDE_vTaskDelete               1
#define INCLUDE_vTaskSuspend              1
#define INCLUDE_xTaskGetCurrentTaskHandle 1
#define INCLUDE_xTaskGetSchedulerState    1

/* --- Failed assertions: freertos-rust panics, see src/kernel.rs ------------------ */

#include <stdint.h>
void vAssertCalled(const char *file, uint32_t line);
#define configASSERT(x) ((x) ? (void)0 : vAssertCalled(__FILE__, __LINE__))

/* --- Tracing ---------------------------------------------------------------------- */

/* The recorder keeps its ids in the kernel's trace fields and names the idle task. */
#define configUSE_TRACE_FACILITY       1
#define INCLUDE_xTaskGetIdleTaskHandle 1

/* Last line on purpose: this defines the kernel's traceXXX() macros. */
#include "tband.h"

#endif /* FREERTOS_CONFIG_H */
