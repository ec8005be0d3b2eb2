/* The least that the kernel's headers want, for compiling ports; nothing of this runs. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configCPU_CLOCK_HZ            64000000
#define configTICK_RATE_HZ            1000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configUSE_PREEMPTION          1
#define configUSE_IDLE_HOOK           0
#define configUSE_TICK_HOOK           0
#define configUSE_TIMERS              1
#define configTIMER_TASK_PRIORITY     2
#define configTIMER_QUEUE_LENGTH      4
#define configTIMER_TASK_STACK_DEPTH  128
#define configMAX_PRIORITIES          8
#define configMINIMAL_STACK_SIZE      128
#define configTOTAL_HEAP_SIZE         4096
#define configUSE_MUTEXES             1

#define configKERNEL_INTERRUPT_PRIORITY      0xFF
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 0x20
#define configENABLE_FPU                     0
#define configENABLE_MPU                     0
#define configENABLE_TRUSTZONE               0
#define configRUN_FREERTOS_SECURE_ONLY       1
#define configMTIME_BASE_ADDRESS             0x0200BFF8
#define configMTIMECMP_BASE_ADDRESS          0x02004000

#define configUSE_TRACE_FACILITY       1
#define INCLUDE_xTaskGetIdleTaskHandle 1
#define INCLUDE_xTaskGetCurrentTaskHandle 1
#include "tband.h"

#endif /* FREERTOS_CONFIG_H */
