/* Trace macros of the classes TASK_EXTRA, SCHEDULER_STEP and STACK. All expand in tasks.c.
 *
 * Events without a macro of the kernel are recorded at the entry and exit of its functions:
 * TBAND_ENTER_f and TBAND_RETURN_f, which tband_hooks_api.h maps to the kernel's traceENTER_f and
 * traceRETURN_f. */
#ifndef TBAND_HOOKS_TASK_EXTRA_H
#define TBAND_HOOKS_TASK_EXTRA_H

#include "tband.h" /* has no effect unless this header was included directly */

#if tband_configFREERTOS_TASK_EXTRA_TRACE_ENABLE != 0

/* See traceMOVED_TASK_TO_READY_STATE, which the kernel calls in this function if it aborts a wait. */
#define TBAND_ENTER_xTaskAbortDelay(xTask)         \
  TBAND_PRAGMA(GCC diagnostic push)                \
  TBAND_PRAGMA(GCC diagnostic ignored "-Wshadow")  \
  enum { tband_aborts_delay = 1 };                 \
  TBAND_PRAGMA(GCC diagnostic pop)

/* NULL means the running task. */
#define TBAND_ENTER_vTaskCoreAffinitySet(xTask, uxCoreAffinityMask)                 \
  TBAND_RECORD_U32_U32(TASK_CORE_AFFINITY_SET,                                      \
                       TBAND_TASK_NUMBER((const TCB_t *)prvGetTCBFromHandle(xTask)), \
                       TBAND_LOW_BITS(uxCoreAffinityMask))

#define TBAND_CREATE_FAILED_IF(condition, object)                     \
  do {                                                                \
    if (condition) {                                                  \
      TBAND_RECORD_U32(CREATE_FAILED, TBAND_KERNEL_OBJECT_##object); \
    }                                                                 \
  } while (0)
#define TBAND_RETURN_xTaskCreate(xReturn) TBAND_CREATE_FAILED_IF((xReturn) != pdPASS, TASK)
#define TBAND_RETURN_xTaskCreateAffinitySet(xReturn) TBAND_CREATE_FAILED_IF((xReturn) != pdPASS, TASK)
#define TBAND_RETURN_xTaskCreateStatic(xReturn) TBAND_CREATE_FAILED_IF((xReturn) == NULL, TASK)
#define TBAND_RETURN_xTaskCreateStaticAffinitySet(xReturn) \
  TBAND_CREATE_FAILED_IF((xReturn) == NULL, TASK)
#define TBAND_RETURN_xTaskCreateRestricted(xReturn) TBAND_CREATE_FAILED_IF((xReturn) != pdPASS, TASK)
#define TBAND_RETURN_xTaskCreateRestrictedAffinitySet(xReturn) \
  TBAND_CREATE_FAILED_IF((xReturn) != pdPASS, TASK)
#define TBAND_RETURN_xTaskCreateRestrictedStatic(xReturn) \
  TBAND_CREATE_FAILED_IF((xReturn) != pdPASS, TASK)
#define TBAND_RETURN_xTaskCreateRestrictedStaticAffinitySet(xReturn) \
  TBAND_CREATE_FAILED_IF((xReturn) != pdPASS, TASK)

#endif /* class TASK_EXTRA */

#if tband_configFREERTOS_SCHEDULER_STEP_TRACE_ENABLE != 0

/* prvAddCurrentTaskToDelayedList: xTimeToWake is its local variable. */
#define TBAND_ON_MOVED_TASK_TO_DELAYED_LIST() \
  TBAND_RECORD_U32(CURTASK_TO_DELAYED_LIST, (uint32_t)xTimeToWake)
#define TBAND_ON_MOVED_TASK_TO_OVERFLOW_DELAYED_LIST() \
  TBAND_RECORD_U32(CURTASK_TO_OVERFLOW_DELAYED_LIST, (uint32_t)xTimeToWake)
#define TBAND_ON_POST_MOVED_TASK_TO_READY_STATE(pxTCB) \
  TBAND_RECORD_U32(TASK_IN_READY_LIST, TBAND_TASK_NUMBER(pxTCB))

#endif /* class SCHEDULER_STEP */

/* vTaskSwitchContext: the current task is the one that ran so far. */
#if (tband_configFREERTOS_SCHEDULER_STEP_TRACE_ENABLE != 0) || \
    (tband_configFREERTOS_STACK_TRACE_ENABLE != 0)
#define TBAND_ON_TASK_SWITCHED_OUT()                                                                \
  do {                                                                                              \
    TBAND_IF_STACK(if (tband_freertos_stack_is_due(TBAND_TASK_NUMBER(TBAND_CURRENT_TCB)) != 0U) {   \
      TBAND_STACK_HIGH_WATER_MARK(TBAND_CURRENT_TCB);                                               \
    });                                                                                             \
    TBAND_IF_SCHEDULER_STEP(                                                                        \
        TBAND_RECORD_MASKED_U32(TASK_SWITCHED_OUT, TASK_SWITCHED_OUT, TBAND_TASK_NUMBER(TBAND_CURRENT_TCB))); \
  } while (0)
#endif

/* The kernel counts in stack words. If stacks grow upwards, the unused part is at the end of the stack,
 * which the task's control block contains only if configured. */
#define TBAND_STACK_HIGH_WATER_MARK(tcb)                                                             \
  do {                                                                                               \
    TBAND_STATIC_ASSERT(((portSTACK_GROWTH) < 0) || ((configRECORD_STACK_HIGH_ADDRESS) == 1),        \
                        "tband: add to FreeRTOSConfig.h: #define configRECORD_STACK_HIGH_ADDRESS 1"); \
    TBAND_RECORD_U32_U32(TASK_STACK_HIGH_WATER_MARK, TBAND_TASK_NUMBER(tcb),                         \
                         (uint32_t)prvTaskCheckFreeStackSpace(                                       \
                             (const uint8_t *)TBAND_STACK_FAR_END(tcb)) *                            \
                             (uint32_t)sizeof(StackType_t));                                         \
  } while (0)
#if defined(configRECORD_STACK_HIGH_ADDRESS) && (configRECORD_STACK_HIGH_ADDRESS == 1)
#define TBAND_STACK_FAR_END(tcb) (((portSTACK_GROWTH) < 0) ? (tcb)->pxStack : (tcb)->pxEndOfStack)
#else
#define TBAND_STACK_FAR_END(tcb) ((tcb)->pxStack)
#endif

#endif /* TBAND_HOOKS_TASK_EXTRA_H */
