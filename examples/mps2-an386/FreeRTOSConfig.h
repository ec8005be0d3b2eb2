/*
 * Kernel configuration of the example: FreeRTOS V11 on a Cortex-M4F.
 * Included by every kernel source file. What tracing needs is at the end.
 */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

/* --- Scheduling ------------------------------------------------------------- */

#ifndef configCPU_CLOCK_HZ /* the tests build this for other chips, too */
#define configCPU_CLOCK_HZ                      25000000
#endif
#define configUSE_PREEMPTION                    1
#define configUSE_TIME_SLICING                  1
#define configTICK_RATE_HZ                      1000
#define configTICK_TYPE_WIDTH_IN_BITS           TICK_TYPE_WIDTH_32_BITS
#define configMAX_PRIORITIES                    8
#define configMAX_TASK_NAME_LEN                 16
#define configIDLE_SHOULD_YIELD                 1

/* --- Interrupts: all 8 bits of a priority are there; a low number is urgent ---- */

#define configPRIO_BITS                      8
#define configKERNEL_INTERRUPT_PRIORITY      0xFF
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 0x20

/* The kernel's handlers are in the vector table. SysTick_Handler is the
 * program's own: it records the interrupt and calls the kernel's. */
#define vPortSVCHandler    SVC_Handler
#define xPortPendSVHandler PendSV_Handler
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_MAIN__)
#define SysTick_Handler xPortSysTickHandler /* the kernel's for Cortex-M0 and M33 has the table's name */
#endif

/* --- Memory ------------------------------------------------------------------ */

#define configMINIMAL_STACK_SIZE                512 /* words */
#define configTOTAL_HEAP_SIZE                   ((size_t)(256 * 1024))
#define configSUPPORT_STATIC_ALLOCATION         1
#define configSUPPORT_DYNAMIC_ALLOCATION        1
#define configKERNEL_PROVIDED_STATIC_MEMORY     1

/* --- Features ----------------------------------------------------------------- */

#define configUSE_MUTEXES             1
#define configUSE_RECURSIVE_MUTEXES   1
#define configUSE_COUNTING_SEMAPHORES 1
#define configUSE_QUEUE_SETS          1
#define configQUEUE_REGISTRY_SIZE     10
#define configUSE_TASK_NOTIFICATIONS  1

#define configUSE_TIMERS             1
#define configTIMER_TASK_PRIORITY    6
#define configTIMER_QUEUE_LENGTH     5
#define configTIMER_TASK_STACK_DEPTH configMINIMAL_STACK_SIZE

#define configUSE_IDLE_HOOK            1
#define configUSE_TICK_HOOK            1
#define configUSE_MALLOC_FAILED_HOOK   1
#define configCHECK_FOR_STACK_OVERFLOW 2

#define INCLUDE_vTaskPrioritySet              1
#define INCLUDE_uxTaskPriorityGet             1
#define INCLUDE_vTaskDelete                   1
#define INCLUDE_vTaskSuspend                  1
#define INCLUDE_xTaskResumeFromISR            1
#define INCLUDE_vTaskDelay                    1
#define INCLUDE_xTaskDelayUntil               1
#define INCLUDE_eTaskGetState                 1
#define INCLUDE_xTaskGetCurrentTaskHandle     1
#define INCLUDE_xTaskGetSchedulerState        1
#define INCLUDE_xSemaphoreGetMutexHolder      1
#define INCLUDE_xTimerGetTimerDaemonTaskHandle 1

/* --- Failed assertions: print where and end the program -------------------------- */

#ifndef __ASSEMBLER__
#ifdef __cplusplus
extern "C"
#endif
__attribute__((noreturn)) void board_failed(const char *what, const char *file, int line);
#define configASSERT(x) ((x) ? (void)0 : board_failed("assertion failed: " #x, __FILE__, __LINE__))
#endif

/* --- Tracing ---------------------------------------------------------------------- */

/* The recorder keeps its ids in the kernel's trace fields and names the idle task. */
#define configUSE_TRACE_FACILITY       1
#define INCLUDE_xTaskGetIdleTaskHandle 1

/* Last line on purpose: this defines the kernel's traceXXX() macros. */
#include "tband.h"

#endif /* FREERTOS_CONFIG_H */
