/* Kernel configuration of the programs for the POSIX port. The build of each defines what it uses; failed assertions
 * are reported to the program and then ignored. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configUSE_PREEMPTION 1
#define configTICK_RATE_HZ 1000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_64_BITS
#define configMINIMAL_STACK_SIZE 256
#define configMAX_PRIORITIES 5
#define configMAX_TASK_NAME_LEN 12
#define configTOTAL_HEAP_SIZE 65536
#define configUSE_IDLE_HOOK 0
#define configUSE_MUTEXES 1
#define configUSE_COUNTING_SEMAPHORES 1
#define configQUEUE_REGISTRY_SIZE 0
#define configMAX_CO_ROUTINE_PRIORITIES 2
#define configTIMER_TASK_PRIORITY 3
#define configTIMER_QUEUE_LENGTH 8
#define configTIMER_TASK_STACK_DEPTH 256
#define INCLUDE_vTaskPrioritySet 1
#define INCLUDE_vTaskDelay 1
#define INCLUDE_xTaskGetIdleTaskHandle 1
#define INCLUDE_xTaskGetCurrentTaskHandle 1

#ifndef configUSE_TICK_HOOK
#define configUSE_TICK_HOOK 0
#endif
#ifndef configUSE_TIMERS
#define configUSE_TIMERS 0
#endif

void an_assertion_fails(void);
#define configASSERT(x) ((x) ? (void)0 : an_assertion_fails())

#define configUSE_TRACE_FACILITY 1
#include "tband.h"

#endif
