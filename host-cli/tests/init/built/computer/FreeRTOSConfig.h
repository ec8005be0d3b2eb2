#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#include <limits.h>

#define configUSE_PREEMPTION 1
#define configUSE_IDLE_HOOK 0
#define configUSE_TICK_HOOK 0
#define configTICK_RATE_HZ 1000
#define configMINIMAL_STACK_SIZE 16384
#define configTOTAL_HEAP_SIZE 1048576
#define configMAX_PRIORITIES 5
#define configMAX_TASK_NAME_LEN 12
#define configUSE_16_BIT_TICKS 0
#define configUSE_MUTEXES 1
#define configUSE_TIMERS 0
#define INCLUDE_vTaskDelay 1

#endif
