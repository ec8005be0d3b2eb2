/*
 * Kernel configuration of the example: FreeRTOS V11 on several RISC-V cores. CMakeLists.txt sets their
 * number. Included by every kernel source file and by the assembler. The settings for tracing are at the
 * end.
 */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

/* --- Cores ---------------------------------------------------------------------- */

#define configTICK_CORE                0
#define configUSE_CORE_AFFINITY        1
#define configRUN_MULTIPLE_PRIORITIES  1
#define configUSE_PASSIVE_IDLE_HOOK    1
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0

/* --- The machine, for the port in kernel-port ------------------------------------ */

#define configCLINT_ADDRESS       0x02000000UL
#define configMTIME_HZ            10000000
#define PORT_INTERRUPT_STACK_SIZE 4096

/* --- Scheduling ------------------------------------------------------------------- */

#define configUSE_PREEMPTION         1
#define configUSE_TIME_SLICING       1
#define configTICK_RATE_HZ           1000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configMAX_PRIORITIES         8
#define configMAX_TASK_NAME_LEN      16
#define configIDLE_SHOULD_YIELD      1

/* --- Memory ------------------------------------------------------------------------ */

#define configMINIMAL_STACK_SIZE            512 /* words */
#define configTOTAL_HEAP_SIZE               ((size_t)(512 * 1024))
#define configSUPPORT_STATIC_ALLOCATION     1
#define configSUPPORT_DYNAMIC_ALLOCATION    1
#define configKERNEL_PROVIDED_STATIC_MEMORY 1

/* --- Features ------------------------------------------------------------------------ */

#define configUSE_MUTEXES              1
#define configUSE_COUNTING_SEMAPHORES  1
#define configQUEUE_REGISTRY_SIZE      16
#define configUSE_TASK_NOTIFICATIONS   1
#define configUSE_TIMERS               0
#define configUSE_IDLE_HOOK            1
#define configUSE_TICK_HOOK            0
#define configUSE_MALLOC_FAILED_HOOK   1
#define configCHECK_FOR_STACK_OVERFLOW 2

#define INCLUDE_vTaskPrioritySet          1
#define INCLUDE_vTaskDelete               1
#define INCLUDE_vTaskSuspend              1
#define INCLUDE_vTaskDelay                1
#define INCLUDE_xTaskDelayUntil           1
#define INCLUDE_xTaskGetCurrentTaskHandle 1

/* --- Failed assertions: print where and end the program -------------------------- */

#ifndef __ASSEMBLER__
__attribute__((noreturn)) void board_failed(const char *what, const char *file, int line);
#define configASSERT(x) ((x) ? (void)0 : board_failed("assertion failed: " #x, __FILE__, __LINE__))
#endif

/* --- Tracing ----------------------------------------------------------------------- */

/* The recorder keeps its ids in the kernel's trace fields and names the idle tasks. */
#define configUSE_TRACE_FACILITY       1
#define INCLUDE_xTaskGetIdleTaskHandle 1

/* Last on purpose: this defines the kernel's traceXXX() macros. */
#ifndef __ASSEMBLER__
#include "tband.h"
#endif

/* Only to compare the recording with: leave it out. */
#if !defined(__ASSEMBLER__) && defined(APP_LOG)
#include "log_hooks.h"
#endif

#endif /* FREERTOS_CONFIG_H */
