/* Kernel configuration of the test: all that the hooks have events for, on both platforms. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configUSE_PREEMPTION     1
#define configUSE_TIME_SLICING   0
#define configTICK_RATE_HZ       1000
#define configMAX_PRIORITIES     8
#define configMAX_TASK_NAME_LEN  16
#define configIDLE_SHOULD_YIELD  0
#if defined(__arm__)
#define configCPU_CLOCK_HZ            25000000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#else
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_64_BITS
#endif
/* The tick counter wraps within the run. */
#define configINITIAL_TICK_COUNT ((TickType_t)0 - 400U)

/* Interrupts of the Cortex-M4: all 8 bits of a priority are there; a low number is urgent. */
#define configPRIO_BITS                      8
#define configKERNEL_INTERRUPT_PRIORITY      0xFF
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 0x20
#define vPortSVCHandler                      SVC_Handler
#define xPortPendSVHandler                   PendSV_Handler
#define xPortSysTickHandler                  SysTick_Handler

#define configMINIMAL_STACK_SIZE            512
#define configTOTAL_HEAP_SIZE               ((size_t)(64 * 1024))
/* A hook that reads memory after it is freed finds zeros there. */
#define configHEAP_CLEAR_MEMORY_ON_FREE     1
#define configSUPPORT_STATIC_ALLOCATION     1
#define configSUPPORT_DYNAMIC_ALLOCATION    1
#define configKERNEL_PROVIDED_STATIC_MEMORY 1

#define configUSE_MUTEXES                     1
#define configUSE_RECURSIVE_MUTEXES           1
#define configUSE_COUNTING_SEMAPHORES         1
#define configUSE_QUEUE_SETS                  1
#define configQUEUE_REGISTRY_SIZE             4
#define configUSE_TASK_NOTIFICATIONS          1
#define configTASK_NOTIFICATION_ARRAY_ENTRIES 3

#define configUSE_TIMERS             1
#define configTIMER_TASK_PRIORITY    5
#define configTIMER_QUEUE_LENGTH     3
#define configTIMER_TASK_STACK_DEPTH configMINIMAL_STACK_SIZE

#define configUSE_IDLE_HOOK 1
#define configUSE_TICK_HOOK 0

#define INCLUDE_vTaskPrioritySet               1
#define INCLUDE_uxTaskPriorityGet              1
#define INCLUDE_vTaskDelete                    1
#define INCLUDE_vTaskSuspend                   1
#define INCLUDE_vTaskDelay                     1
#define INCLUDE_xTaskDelayUntil                1
#define INCLUDE_xTaskAbortDelay                1
#define INCLUDE_eTaskGetState                  1
#define INCLUDE_xTaskGetCurrentTaskHandle      1
#define INCLUDE_xTaskGetSchedulerState         1
#define INCLUDE_uxTaskGetStackHighWaterMark    1
#define INCLUDE_xTimerGetTimerDaemonTaskHandle 1
#define INCLUDE_xTimerPendFunctionCall         1

/* The program implements the sleep, and allows it in some places only: harness.h. */
#define configUSE_TICKLESS_IDLE                           2
#define portSUPPRESS_TICKS_AND_SLEEP(ticks)               harness_sleep((uint32_t)(ticks))
#define configPRE_SUPPRESS_TICKS_AND_SLEEP_PROCESSING(ticks) \
  do {                                                       \
    if (!harness_may_sleep) {                                \
      (ticks) = 0;                                           \
    }                                                        \
  } while (0)

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stdint.h>
extern bool harness_may_sleep;
void harness_sleep(uint32_t ticks);
void harness_assertion(const char *what, const char *file, int line);
void harness_may_interrupt(void);
#define configASSERT(x) \
  (harness_may_interrupt(), (x) ? (void)0 : harness_assertion(#x, __FILE__, __LINE__))
#endif

#define configUSE_TRACE_FACILITY       1
#define INCLUDE_xTaskGetIdleTaskHandle 1
#include "tband.h"
#ifdef HOOK_MASKS
#include "hook_masks.h" /* written by the test, see masks.h */
#endif

#endif /* FREERTOS_CONFIG_H */
