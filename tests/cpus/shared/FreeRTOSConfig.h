/* The configuration of the kernel, for all CPUs. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#include "FreeRTOSConfig_cpu.h"

#define configUSE_PREEMPTION 1
#define configUSE_TIME_SLICING 1
#define configTICK_RATE_HZ 1000
#define configMAX_PRIORITIES 8
#define configMAX_TASK_NAME_LEN 16
#ifndef configMINIMAL_STACK_SIZE
#define configMINIMAL_STACK_SIZE 1024
#endif
#ifndef configTOTAL_HEAP_SIZE
#define configTOTAL_HEAP_SIZE ((size_t)(256 * 1024))
#endif
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#define configSUPPORT_STATIC_ALLOCATION 0
#define configUSE_MUTEXES 1
#define configUSE_COUNTING_SEMAPHORES 1
#define configQUEUE_REGISTRY_SIZE 0
#define configUSE_TASK_NOTIFICATIONS 1
#define configUSE_TIMERS 0
#define configUSE_IDLE_HOOK 0
#ifndef configUSE_TICK_HOOK
#define configUSE_TICK_HOOK 0
#endif
#define configUSE_MALLOC_FAILED_HOOK 1
#ifndef configCHECK_FOR_STACK_OVERFLOW
#define configCHECK_FOR_STACK_OVERFLOW 2
#endif
#define INCLUDE_vTaskPrioritySet 1
#define INCLUDE_vTaskDelete 1
#define INCLUDE_vTaskSuspend 1
#define INCLUDE_vTaskDelay 1
#define INCLUDE_xTaskGetCurrentTaskHandle 1
#define configUSE_TRACE_FACILITY 1
#define INCLUDE_xTaskGetIdleTaskHandle 1
#ifndef __ASSEMBLER__
void app_failed(const char *what, int line);
#define configASSERT(x) ((x) ? (void)0 : app_failed(#x, __LINE__))
#include "tband.h"
#endif

#endif
