/* Kernel configuration of the bench. With BENCH_MEASURE_EVENTS the measured hooks are bracketed by two
 * readings of a clock, where the kernel calls them. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#if defined(BENCH_CPU_cortex_a9)
#include "../cpus/cortex_a9/FreeRTOSConfig_cpu.h"
#define configUSE_TICK_HOOK 0
#elif defined(BENCH_CPU_cortex_r5)
#include "../cpus/cortex_r5/FreeRTOSConfig_cpu.h"
#define configUSE_TICK_HOOK 0
#elif defined(BENCH_CPU_aarch64)
#include "../cpus/aarch64/FreeRTOSConfig_cpu.h"
#define configUSE_TICK_HOOK 0
#elif defined(BENCH_CPU_xtensa)
#include "../cpus/xtensa/FreeRTOSConfig_cpu.h"
#define configUSE_TICK_HOOK 0
#elif defined(__riscv)
#define configCPU_CLOCK_HZ 10000000 /* which the kernel takes for the speed of mtime */
#define configMTIME_BASE_ADDRESS 0x0200BFF8
#define configMTIMECMP_BASE_ADDRESS 0x02004000
#define configISR_STACK_SIZE_WORDS 512
#define configUSE_TICK_HOOK 1
#else
#define configCPU_CLOCK_HZ 25000000
#define configENABLE_MPU 0
#define configUSE_TICK_HOOK 0
#endif
#define configUSE_PREEMPTION 1
#if defined(__ARM_ARCH_6M__) || defined(__XTENSA__)
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0
#else
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 1
#endif
#if defined(BENCH_MEASURE_EVENTS)
#define configTICK_RATE_HZ 62 /* time runs 16 times slower, to count instructions */
#else
#define configTICK_RATE_HZ 1000
#endif
#ifndef configTICK_TYPE_WIDTH_IN_BITS
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#endif
#define configMAX_PRIORITIES 5
#define configMAX_TASK_NAME_LEN 16
#define configIDLE_SHOULD_YIELD 0

#define configPRIO_BITS 8
#define configKERNEL_INTERRUPT_PRIORITY 0xFF
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 0x20

#if !defined(__ARM_ARCH_6M__) /* whose port has these names */
#define vPortSVCHandler SVC_Handler
#define xPortPendSVHandler PendSV_Handler
#define xPortSysTickHandler SysTick_Handler
#endif

#if defined(BENCH_CPU) || (defined(__riscv_xlen) && (__riscv_xlen == 64)) /* whose registers take more */
#define configMINIMAL_STACK_SIZE 1024
#define configTOTAL_HEAP_SIZE ((size_t)(64 * 1024))
#else
#define configMINIMAL_STACK_SIZE 256
#define configTOTAL_HEAP_SIZE ((size_t)(16 * 1024))
#endif
#define configSUPPORT_STATIC_ALLOCATION 0
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#define configUSE_MUTEXES 1
#define configQUEUE_REGISTRY_SIZE 0
#define configUSE_TIMERS 0
#define configUSE_IDLE_HOOK 0
#define configCHECK_FOR_STACK_OVERFLOW 0

#define INCLUDE_vTaskDelay 1
#define INCLUDE_vTaskSuspend 1

#if !defined(__ASSEMBLER__) && !defined(BENCH_MEASURE_SIZE)
_Noreturn void board_failed(const char *what, const char *file, int line);
#define configASSERT(x) ((x) ? (void)0 : board_failed("assertion failed: " #x, __FILE__, __LINE__))
#endif

#define configUSE_TRACE_FACILITY 1
#define INCLUDE_xTaskGetIdleTaskHandle 1
#include "tband.h"

/* The interrupts that are measured are the tick's: with the class ISR by its own hooks, else by calls of the
 * API, which are what the other recorders were measured with. */
#if BENCH_TRACE
#if defined(BENCH_MEASURE_EVENTS) && (defined(BENCH_ISR_CLASS) || defined(BENCH_DEFAULT))
#define BENCH_ISR_ENTER() tband_traceISR_ENTER()
#define BENCH_ISR_EXIT() tband_traceISR_EXIT()
#undef traceISR_ENTER
#undef traceISR_EXIT
#undef traceISR_EXIT_TO_SCHEDULER
#else
#define BENCH_ISR_ENTER() tband_isr_enter(15)
#define BENCH_ISR_EXIT() tband_isr_exit(15)
#endif
#if defined(BENCH_MEASURE_EVENTS)
#include "bench.h"
#undef traceTASK_SWITCHED_IN
#define traceTASK_SWITCHED_IN() BENCH_BRACKET(BENCH_TASK_SWITCHED_IN, tband_traceTASK_SWITCHED_IN())
#undef traceQUEUE_SEND
#define traceQUEUE_SEND(pxQueue) BENCH_BRACKET(BENCH_QUEUE_SEND, tband_traceQUEUE_SEND(pxQueue))
#if defined(BENCH_DEFAULT)
#undef traceTASK_INCREMENT_TICK
#define traceTASK_INCREMENT_TICK(xTickCount) BENCH_BRACKET(BENCH_TICK, tband_traceTASK_INCREMENT_TICK(xTickCount))
#endif
#if !defined(__riscv) && !defined(BENCH_CPU) /* whose ports have no such hooks */
#define traceISR_ENTER() BENCH_BRACKET(BENCH_ISR, BENCH_ISR_ENTER())
#define traceISR_EXIT() BENCH_BRACKET(BENCH_ISR_END, BENCH_ISR_EXIT())
#define traceISR_EXIT_TO_SCHEDULER() BENCH_ISR_EXIT()
#endif
#elif !defined(BENCH_MEASURE_IDLE) && !defined(BENCH_DEFAULT)
#define traceISR_ENTER() BENCH_ISR_ENTER()
#define traceISR_EXIT() BENCH_ISR_EXIT()
#define traceISR_EXIT_TO_SCHEDULER() BENCH_ISR_EXIT()
#endif
#endif

#endif
