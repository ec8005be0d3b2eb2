/*
 * Kernel configuration of the example: FreeRTOS V11 on a Cortex-M4F. What faults need is marked.
 */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configCPU_CLOCK_HZ            25000000
#define configUSE_PREEMPTION          1
#define configTICK_RATE_HZ            1000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configMAX_PRIORITIES          4
#define configMAX_TASK_NAME_LEN       16
#define configMINIMAL_STACK_SIZE      128 /* words */
#define configTOTAL_HEAP_SIZE         ((size_t)(8 * 1024))
#define configSUPPORT_STATIC_ALLOCATION     1
#define configKERNEL_PROVIDED_STATIC_MEMORY 1
#define configUSE_IDLE_HOOK           0
#define configUSE_TICK_HOOK           0

#define configPRIO_BITS                      8
#define configKERNEL_INTERRUPT_PRIORITY      0xFF
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 0x20
#define vPortSVCHandler                      SVC_Handler
#define xPortPendSVHandler                   PendSV_Handler
#define xPortSysTickHandler                  SysTick_Handler

#define INCLUDE_vTaskDelay                1
#define INCLUDE_xTaskDelayUntil           1
#define INCLUDE_vTaskDelete               1
#define INCLUDE_xTaskGetCurrentTaskHandle 1

/* Faults: checks assertions, stacks and the heap, and makes the kernel store the size of each
 * stack. */
#define configCHECK_FOR_STACK_OVERFLOW 2
#define configUSE_MALLOC_FAILED_HOOK   1
#define configRECORD_STACK_HIGH_ADDRESS 1
#ifndef __ASSEMBLER__
__attribute__((noreturn)) void ending(void);
#define configASSERT(x)                         \
  do {                                          \
    if (!(x)) {                                 \
      tband_fault_assert(__FILE__, __LINE__);   \
      ending();                                 \
    }                                           \
  } while (0)
#endif

/* Tracing. */
#define configUSE_TRACE_FACILITY       1
#define INCLUDE_xTaskGetIdleTaskHandle 1
#include "tband.h"

#endif /* FREERTOS_CONFIG_H */
