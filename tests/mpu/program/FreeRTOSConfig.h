/* Kernel configuration of the test: the ports with memory protection for Cortex-M4F and M33. The build
 * selects the wrappers (configUSE_MPU_WRAPPERS_V1), and access control lists of the tasks
 * (configENABLE_ACCESS_CONTROL_LIST). */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configUSE_PREEMPTION          1
#define configUSE_TIME_SLICING        0
#define configTICK_RATE_HZ            1000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configMAX_PRIORITIES          8
#define configMAX_TASK_NAME_LEN       16
#define configIDLE_SHOULD_YIELD       0

#define configPRIO_BITS                      8
#define configKERNEL_INTERRUPT_PRIORITY      0xFF
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 0x20
#define vPortSVCHandler                      SVC_Handler
#define xPortPendSVHandler                   PendSV_Handler
#define xPortSysTickHandler                  SysTick_Handler

#define configENABLE_MPU                              1
#ifndef configENABLE_FPU
#define configENABLE_FPU 1
#endif
#ifndef configENABLE_TRUSTZONE
#define configENABLE_TRUSTZONE         0
#define configRUN_FREERTOS_SECURE_ONLY 1
#endif
#define configENFORCE_SYSTEM_CALLS_FROM_KERNEL_ONLY   1
#define configALLOW_UNPRIVILEGED_CRITICAL_SECTIONS    0
#define configPROTECTED_KERNEL_OBJECT_POOL_SIZE       32
#define configSYSTEM_CALL_STACK_SIZE                  256

#define configMINIMAL_STACK_SIZE            256
#define configTOTAL_HEAP_SIZE               ((size_t)(32 * 1024))
#define configSUPPORT_STATIC_ALLOCATION     0
#define configSUPPORT_DYNAMIC_ALLOCATION    1

#define configUSE_MUTEXES            1
#define configUSE_RECURSIVE_MUTEXES  1
#define configQUEUE_REGISTRY_SIZE    4
#define configUSE_TASK_NOTIFICATIONS 1
#define configUSE_TIMERS             1
#define configTIMER_TASK_PRIORITY    5
#define configTIMER_QUEUE_LENGTH     3
#define configTIMER_TASK_STACK_DEPTH configMINIMAL_STACK_SIZE
#define configUSE_IDLE_HOOK          0
#define configUSE_TICK_HOOK          1

#define INCLUDE_vTaskDelay                     1
#define INCLUDE_vTaskDelete                    1
#define INCLUDE_vTaskSuspend                   1
#define INCLUDE_xTaskGetCurrentTaskHandle      1
#define INCLUDE_xTaskGetSchedulerState         1
#define INCLUDE_xTimerGetTimerDaemonTaskHandle 1

#ifndef __ASSEMBLER__
_Noreturn void board_failed(const char *what, const char *file, int line);
#define configASSERT(x) ((x) ? (void)0 : board_failed("assertion failed: " #x, __FILE__, __LINE__))
#endif

#define configUSE_TRACE_FACILITY       1
#define INCLUDE_xTaskGetIdleTaskHandle 1
#include "tband.h"

#endif /* FREERTOS_CONFIG_H */
