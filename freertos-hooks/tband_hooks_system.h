/* Trace macros of the classes HEAP, LOW_POWER, TICK and ISR. */
#ifndef TBAND_HOOKS_SYSTEM_H
#define TBAND_HOOKS_SYSTEM_H

#include "tband.h" /* has no effect unless this header was included directly */

/* portable/MemMang/heap_*.c, with the scheduler suspended, after the heap has updated its count. heap_3 does not know
 * the size of the memory that it frees. */
#if tband_configFREERTOS_HEAP_TRACE_ENABLE != 0
#define TBAND_ON_MALLOC(pvAddress, uiSize) \
  TBAND_RECORD_HEAP(TBAND_EVT_U32_U32_U32_HEAP_MALLOC, pvAddress, TBAND_HEAP_SIZE(uiSize))
/* heap_3 has freed the memory by now; only the address is of interest. */
#define TBAND_ON_FREE(pvAddress, uiSize)                                                          \
  do {                                                                                            \
    TBAND_PRAGMA(GCC diagnostic push)                                                             \
    TBAND_PRAGMA(GCC diagnostic ignored "-Wpragmas") /* for compilers that do not know the next warning */ \
    TBAND_PRAGMA(GCC diagnostic ignored "-Wunknown-warning-option")                               \
    TBAND_PRAGMA(GCC diagnostic ignored "-Wuse-after-free")                                       \
    TBAND_RECORD_HEAP(TBAND_EVT_U32_U32_U32_HEAP_FREE, pvAddress, uiSize);                        \
    TBAND_PRAGMA(GCC diagnostic pop)                                                              \
  } while (0)

/* Selects whether the events contain the free bytes of the heap. heap_3 has no function that returns them, a custom
 * heap may not have one either, and a call of a missing function does not link. The kernel's heaps that have one define
 * one of two macros, which are in parentheses: these make a call of TBAND_HEAP_REPORTS, which puts another name in
 * second place. */
#define TBAND_RECORD_HEAP_AND_FREE(id, address, size, free) \
  TBAND_RECORD_NUMBERS((id) | TBAND_IN_PACKETS(TBAND_LAST_IS_OPTIONAL), 3, TBAND_LOW_BITS(address), \
                       (uint32_t)(size), (uint32_t)(free))
#if defined(tband_configHEAP_FREE_SIZE)
#define TBAND_RECORD_HEAP(id, address, size) \
  TBAND_RECORD_HEAP_AND_FREE(id, address, size, tband_configHEAP_FREE_SIZE())
#define TBAND_HEAP_SIZE(size) (size)
#else
/* When an allocation fails, heap_2, heap_4 and heap_5 of V11 pass 0 instead of the size. The parameter of
 * pvPortMalloc() still has it. The kernels with these heaps define the first macro, and name the parameter so. */
#define TBAND_HEAP_SIZE(size)                                                                            \
  TBAND_HEAP_SECOND(TBAND_HEAP_AGAIN(TBAND_HEAP_WANTS heapBLOCK_ALLOCATED_BITMASK), TBAND_HEAP_PASSED, 0) \
  (size)
#define TBAND_HEAP_WANTS(...) 0, TBAND_HEAP_WANTED
/* A mask, because compilers duplicate the code that records for each branch of a condition. */
#define TBAND_HEAP_WANTED(size) ((size) | (xWantedSize & (0U - (size_t)((size) == 0U))))
#define TBAND_HEAP_PASSED(size) (size)
#define TBAND_RECORD_HEAP(id, address, size)                                                       \
  TBAND_HEAP_SECOND(TBAND_HEAP_AGAIN(TBAND_HEAP_REPORTS heapBITS_PER_BYTE),                          \
                    TBAND_HEAP_SECOND(TBAND_HEAP_AGAIN(TBAND_HEAP_REPORTS configADJUSTED_HEAP_SIZE), \
                                      TBAND_RECORD_SILENT_HEAP, 0),                                \
                    0)                                                                             \
  (id, address, size)
#define TBAND_HEAP_REPORTS(...) 0, TBAND_RECORD_REPORTING_HEAP
#define TBAND_HEAP_AGAIN(...) __VA_ARGS__
#define TBAND_HEAP_SECOND(...) TBAND_HEAP_SECOND_OF(__VA_ARGS__)
#define TBAND_HEAP_SECOND_OF(first, second, ...) second
#define TBAND_RECORD_REPORTING_HEAP(id, address, size) \
  TBAND_RECORD_HEAP_AND_FREE(id, address, size, xPortGetFreeHeapSize())
#define TBAND_RECORD_SILENT_HEAP(id, address, size) \
  TBAND_RECORD_NUMBERS((id) | TBAND_IN_PACKETS(TBAND_LAST_IS_MISSING), 2, TBAND_LOW_BITS(address), \
                       (uint32_t)(size))
#endif
#endif

/* tasks.c, the idle task, with the scheduler suspended: xExpectedIdleTime is its local variable. */
#if tband_configFREERTOS_LOW_POWER_TRACE_ENABLE != 0
#define TBAND_RECORD_SLEEP() TBAND_RECORD_U32(LOW_POWER_IDLE_BEGIN, TBAND_TICKS(xExpectedIdleTime))
#define TBAND_RECORD_WAKE() TBAND_RECORD_NOTHING(LOW_POWER_IDLE_END)
#else
#define TBAND_RECORD_SLEEP() ((void)0)
#define TBAND_RECORD_WAKE() ((void)0)
#endif
/* No tick interrupt occurs during the sleep, however long it lasts. */
#if (tband_configTICK_KEEPS_TIME != 0) || (tband_configFREERTOS_LOW_POWER_TRACE_ENABLE != 0)
#define TBAND_ON_LOW_POWER_IDLE_BEGIN()                      \
  do {                                                   \
    TBAND_RECORD_SLEEP();                                \
    TBAND_KEEP_TIME_IN_SLEEP(TBAND_TICKS(xExpectedIdleTime)); \
  } while (0)
#define TBAND_ON_LOW_POWER_IDLE_END() \
  do {                            \
    TBAND_KEEP_TIME_IN_TICK();    \
    TBAND_RECORD_WAKE();          \
  } while (0)
#endif

/* tasks.c: xTaskIncrementTick, in the tick's interrupt; vTaskStepTick, in the idle task. The timer is extended whether
 * recording is on or off. */
#if tband_configTICK_KEEPS_TIME != 0
#define TBAND_KEEP_TIME_IN_TICK() tband_kernel_tick()
#define TBAND_KEEP_TIME_IN_SLEEP(ticks) tband_kernel_sleeps(ticks)
#define TBAND_KEEP_TIME_IN_STEP(ticks) tband_kernel_steps(ticks)
#else
#define TBAND_KEEP_TIME_IN_TICK() ((void)0)
#define TBAND_KEEP_TIME_IN_SLEEP(ticks) ((void)0)
#define TBAND_KEEP_TIME_IN_STEP(ticks) ((void)0)
#endif
#if tband_configFREERTOS_TICK_TRACE_ENABLE != 0
#define TBAND_ON_TASK_INCREMENT_TICK(xTickCount)        \
  do {                                                  \
    TBAND_KEEP_TIME_IN_TICK();                          \
    TBAND_RECORD_U32(TICK, (uint32_t)(xTickCount));     \
  } while (0)
#elif tband_configTICK_KEEPS_TIME != 0
#define TBAND_ON_TASK_INCREMENT_TICK(xTickCount) TBAND_KEEP_TIME_IN_TICK()
#endif
#if tband_configFREERTOS_TICK_TRACE_ENABLE != 0
#define TBAND_ON_INCREASE_TICK_COUNT(xTicksToJump)                   \
  do {                                                               \
    TBAND_KEEP_TIME_IN_STEP(TBAND_TICKS(xTicksToJump));              \
    TBAND_RECORD_U32(TICK_COUNT_INCREASE, TBAND_TICKS(xTicksToJump)); \
  } while (0)
#elif tband_configTICK_KEEPS_TIME != 0
#define TBAND_ON_INCREASE_TICK_COUNT(xTicksToJump) TBAND_KEEP_TIME_IN_STEP(TBAND_TICKS(xTicksToJump))
#endif

/* The kernel's ports and your interrupt handlers. Some ports call the exit macros only, so exits count
 * only where there was an entry. */
#if (tband_configFREERTOS_ISR_TRACE_ENABLE != 0) && TBAND_IS_ESP_IDF
/* ESP-IDF's dispatcher passes the number of the interrupt's source at the entry only. It reports no exit while a switch
 * is pending, so the next switch ends all interrupts of the core: see TBAND_END_ISRS(). */
#define TBAND_ON_ISR_ENTER(number) tband_freertos_isr_enter((uint32_t)(number))
#define TBAND_ON_ISR_EXIT() tband_freertos_innermost_isr_exit(TBAND_KERNEL_CORE_ID(), TBAND_EVT_U32_ISR_EXIT)
#define TBAND_ON_ISR_EXIT_TO_SCHEDULER() \
  tband_freertos_innermost_isr_exit(TBAND_KERNEL_CORE_ID(), TBAND_EVT_U32_ISR_EXIT_TO_SCHEDULER)
#elif tband_configFREERTOS_ISR_TRACE_ENABLE != 0
#if defined(tband_portISR_NUMBER)
#define TBAND_ISR_NUMBER() ((uint32_t)(tband_portISR_NUMBER()))
#elif defined(__ARM_ARCH_PROFILE) && (__ARM_ARCH_PROFILE == 'M')
/* Exception number: 15 is SysTick, 16 and up are the interrupts of the chip (Armv7-M, IPSR; a read of IPSR gives only
 * this number). */
static inline uint32_t tband_isr_number(void) {
  uint32_t number;
  __asm volatile("mrs %0, ipsr" : "=r"(number));
  return number;
}
#define TBAND_ISR_NUMBER() tband_isr_number()
#ifndef tband_portTICK_ISR_NUMBER
#define tband_portTICK_ISR_NUMBER 15
#endif
#else
#error "tband: tband_configFREERTOS_ISR_TRACE_ENABLE is 1, but the number of an interrupt is not known. Put into tband_config.h:"
#error "    #define tband_portISR_NUMBER() my_interrupt_number()"
#endif

/* The tick's own interrupt is left out, at the cost of a comparison, unless the ticks are recorded. */
#if defined(tband_portTICK_ISR_NUMBER) && (tband_configFREERTOS_TICK_TRACE_ENABLE == 0)
#define TBAND_ISR_IS_RECORDED(number) ((number) != (uint32_t)(tband_portTICK_ISR_NUMBER))
#else
#define TBAND_ISR_IS_RECORDED(number) 1
#endif

#define TBAND_ON_ISR_ENTER()                       \
  do {                                             \
    const uint32_t tband_isr = TBAND_ISR_NUMBER(); \
    if (TBAND_ISR_IS_RECORDED(tband_isr)) {        \
      tband_freertos_isr_enter(tband_isr);         \
    }                                              \
  } while (0)
#define TBAND_ON_ISR_EXIT() TBAND_ISR_EXIT(TBAND_EVT_U32_ISR_EXIT)
#define TBAND_ON_ISR_EXIT_TO_SCHEDULER() TBAND_ISR_EXIT(TBAND_EVT_U32_ISR_EXIT_TO_SCHEDULER)
#define TBAND_ISR_EXIT(id)                         \
  do {                                             \
    const uint32_t tband_isr = TBAND_ISR_NUMBER(); \
    if (TBAND_ISR_IS_RECORDED(tband_isr)) {        \
      tband_freertos_isr_exit(tband_isr, (id));    \
    }                                              \
  } while (0)
#endif

#endif /* TBAND_HOOKS_SYSTEM_H */
