/*
 * Kernel configuration of the example: FreeRTOS V11 on both cores of RP2040 or RP2350. What tracing needs is at the
 * end.
 */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

/* --- Cores ---------------------------------------------------------------------- */

#define configNUMBER_OF_CORES         2
#define configTICK_CORE               0
#define configUSE_CORE_AFFINITY       1
#define configRUN_MULTIPLE_PRIORITIES 1
#define configUSE_PASSIVE_IDLE_HOOK   0

/* Spin locks of the chip that the SDK keeps for the kernel. */
#define configSMP_SPINLOCK_0 PICO_SPINLOCK_ID_OS1
#define configSMP_SPINLOCK_1 PICO_SPINLOCK_ID_OS2

/* The SDK's own locks and waits work from tasks. */
#define configSUPPORT_PICO_SYNC_INTEROP 1
#define configSUPPORT_PICO_TIME_INTEROP 1

/* --- RP2350: for its kernel port ------------------------------------------------- */

#define configENABLE_MPU                     0
#define configENABLE_TRUSTZONE               0
#define configRUN_FREERTOS_SECURE_ONLY       1
#define configENABLE_FPU                     1
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 16

/* --- Scheduling ------------------------------------------------------------------- */

#define configUSE_PREEMPTION          1
#define configUSE_TIME_SLICING        1
#define configTICK_RATE_HZ            1000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configMAX_PRIORITIES          8
#define configMAX_TASK_NAME_LEN       16
#define configIDLE_SHOULD_YIELD       1

/* --- Memory ------------------------------------------------------------------------ */

#define configMINIMAL_STACK_SIZE         256 /* words */
#define configTOTAL_HEAP_SIZE            ((size_t)(64 * 1024))
#define configSUPPORT_STATIC_ALLOCATION  0
#define configSUPPORT_DYNAMIC_ALLOCATION 1

/* --- Features ------------------------------------------------------------------------ */

#define configUSE_MUTEXES              1
#define configUSE_COUNTING_SEMAPHORES  1
#define configQUEUE_REGISTRY_SIZE      8
#define configUSE_TASK_NOTIFICATIONS   1
#define configUSE_TIMERS               1
#define configTIMER_TASK_PRIORITY      5
#define configTIMER_QUEUE_LENGTH       8
#define configTIMER_TASK_STACK_DEPTH   256
#define configUSE_IDLE_HOOK            0
#define configUSE_TICK_HOOK            0
#define configUSE_MALLOC_FAILED_HOOK   0
#define configCHECK_FOR_STACK_OVERFLOW 0

#define INCLUDE_vTaskDelay                1
#define INCLUDE_xTaskDelayUntil           1
#define INCLUDE_vTaskSuspend              1
#define INCLUDE_xTaskGetCurrentTaskHandle 1
#define INCLUDE_xTimerPendFunctionCall    1 /* the SDK's locks take it */

#include <assert.h>
#define configASSERT(x) assert(x)

/* --- Tracing ----------------------------------------------------------------------- */

/* The recorder keeps its ids in the kernel's trace fields and names the idle tasks. */
#define configUSE_TRACE_FACILITY       1
#define INCLUDE_xTaskGetIdleTaskHandle 1

/* Last on purpose: this defines the kernel's traceXXX() macros. */
#include "tband.h"

#endif /* FREERTOS_CONFIG_H */
