#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configUSE_PREEMPTION 1
#define configUSE_TIMERS 1
#define configTIMER_TASK_PRIORITY 3
#define configTIMER_QUEUE_LENGTH 4
#define configTIMER_TASK_STACK_DEPTH 4096
#define configUSE_IDLE_HOOK 0
#define configUSE_TICK_HOOK 0
#define configTICK_RATE_HZ 1000
#define configMINIMAL_STACK_SIZE 4096
#define configTOTAL_HEAP_SIZE (1024 * 1024)
#define configMAX_TASK_NAME_LEN 16
#define configMAX_PRIORITIES 5
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configUSE_MUTEXES 1
#define configUSE_TRACE_FACILITY 1
#define configQUEUE_REGISTRY_SIZE 0

#define INCLUDE_xTaskGetIdleTaskHandle 1
#define INCLUDE_vTaskDelay 1
#define INCLUDE_vTaskSuspend 1

#include "tband.h"

#endif /* FREERTOS_CONFIG_H */
