/* Trace macros of the class TIMER: software timers and pended function calls. All expand in timers.c,
 * outside critical sections unless noted otherwise. */
#ifndef TBAND_HOOKS_TIMER_H
#define TBAND_HOOKS_TIMER_H

#include "tband.h" /* has no effect unless this header was included directly */
#include "tband_hooks_version.h"

#if tband_configFREERTOS_TIMER_TRACE_ENABLE != 0

#define TBAND_TIMER_NUMBER(timer) ((uint32_t)((const Timer_t *)(timer))->uxTimerNumber)

/* prvInitialiseNewTimer: the timer is completely set up. */
#define TBAND_ON_TIMER_CREATE(pxNewTimer)                                                         \
  (pxNewTimer)->uxTimerNumber = (UBaseType_t)tband_freertos_timer_created(                        \
      TBAND_TICKS((pxNewTimer)->xTimerPeriodInTicks),                                             \
      TBAND_IS_AUTO_RELOAD(pxNewTimer),                                                           \
      TBAND_LOW_BITS((pxNewTimer)->pxCallbackFunction), (const char *)(pxNewTimer)->pcTimerName, \
      (tband_kernel_function)uxTimerGetTimerNumber)

/* For this the kernel has only the hook at function exit. */
#define TBAND_RETURN_xTimerCreate(pxNewTimer)                     \
  do {                                                            \
    if ((pxNewTimer) == NULL) {                                   \
      TBAND_RECORD_U32(CREATE_FAILED, TBAND_KERNEL_OBJECT_TIMER); \
    }                                                             \
  } while (0)

/* A new period is a number of ticks; other commands have a tick count. */
#define TBAND_IS_PERIOD_COMMAND(id) \
  (((id) == tmrCOMMAND_CHANGE_PERIOD) || ((id) == tmrCOMMAND_CHANGE_PERIOD_FROM_ISR))
#define TBAND_TIMER_COMMAND_VALUE(id, value)                                                   \
  (((sizeof(value) > sizeof(uint32_t)) && TBAND_IS_PERIOD_COMMAND(id)) ? TBAND_TICKS(value) \
                                                                       : (uint32_t)(value))

/* Any task or interrupt, after the command was put into the queue. If the timer task has the higher
 * priority, it has executed the command by then, and a deleted timer no longer exists, so its number is
 * read before. Older kernels have no macro for that. The recording uses the kernel's numbers of the
 * commands. */
#if !TBAND_KERNEL_IS_V11
#define TBAND_COMMANDED_TIMER(xTimer) TBAND_TIMER_NUMBER(xTimer)
#else
#define TBAND_TAKE_TIMER_NUMBER(xTimer) \
  const uint32_t tband_timer = ((xTimer) == NULL) ? 0U : TBAND_TIMER_NUMBER(xTimer)
#define TBAND_ENTER_xTimerGenericCommandFromTask(xTimer, xCommandID, xOptionalValue,         \
                                                 pxHigherPriorityTaskWoken, xTicksToWait) \
  TBAND_TAKE_TIMER_NUMBER(xTimer)
#define TBAND_ENTER_xTimerGenericCommandFromISR(xTimer, xCommandID, xOptionalValue,         \
                                                pxHigherPriorityTaskWoken, xTicksToWait) \
  TBAND_TAKE_TIMER_NUMBER(xTimer)
#define TBAND_COMMANDED_TIMER(xTimer) tband_timer
#endif
#define TBAND_ON_TIMER_COMMAND_SEND(xTimer, xCommandID, xOptionalValue, xReturn)                   \
  TBAND_RECORD_U32_U32_U32_U32(TIMER_COMMAND_SENT, TBAND_COMMANDED_TIMER(xTimer),                  \
                               (uint32_t)(xCommandID),                                             \
                               TBAND_TIMER_COMMAND_VALUE(xCommandID, xOptionalValue),              \
                               ((xReturn) == pdPASS) ? 1U : 0U)

/* The timer task. */
#define TBAND_ON_TIMER_COMMAND_RECEIVED(pxTimer, xCommandID, xCommandValue)            \
  do {                                                                                 \
    if ((xCommandID) == tmrCOMMAND_DELETE) {                                           \
      TBAND_FORGET(TBAND_ID_BIT(TBAND_EVT_META_U32_STR_TIMER_NAME) |          \
                                TBAND_ID_BIT(TBAND_EVT_META_U32_U32_U32_TIMER_INFO),   \
                            TBAND_TIMER_NUMBER(pxTimer));                              \
    } else if (TBAND_IS_PERIOD_COMMAND(xCommandID)) {                                  \
      TBAND_UPDATE_TIMER(pxTimer, xCommandValue, TBAND_IS_AUTO_RELOAD(pxTimer));       \
    }                                                                                  \
    TBAND_RECORD_U32_U32_U32(TIMER_COMMAND_RECEIVED, TBAND_TIMER_NUMBER(pxTimer),      \
                             (uint32_t)(xCommandID),                                   \
                             TBAND_TIMER_COMMAND_VALUE(xCommandID, xCommandValue));    \
  } while (0)
#define TBAND_IS_AUTO_RELOAD(timer) \
  ((((timer)->ucStatus & (uint8_t)tmrSTATUS_IS_AUTORELOAD) != 0U) ? 1U : 0U)
#define TBAND_UPDATE_TIMER(timer, period, auto_reload)                                         \
  TBAND_UPDATE_U32_U32_U32(TIMER_INFO, TBAND_TIMER_NUMBER(timer), TBAND_TICKS(period), \
                           (auto_reload))
/* For kernels with this macro: the timer task does not execute vTimerSetReloadMode. */
#define TBAND_ENTER_vTimerSetReloadMode(xTimer, xAutoReload)                                     \
  TBAND_UPDATE_TIMER((const Timer_t *)(xTimer), ((const Timer_t *)(xTimer))->xTimerPeriodInTicks, \
                     ((xAutoReload) != pdFALSE) ? 1U : 0U)
#define TBAND_ON_TIMER_EXPIRED(pxTimer)                                \
  TBAND_RECORD_U32_U32(TIMER_EXPIRED, TBAND_TIMER_NUMBER(pxTimer),     \
                       TBAND_LOW_BITS((pxTimer)->pxCallbackFunction))

#define TBAND_PENDED(event, function, parameter1, parameter2, result)                            \
  TBAND_RECORD_U32_U32_U32_U32(event, TBAND_LOW_BITS(function), TBAND_LOW_BITS(parameter1),      \
                               (uint32_t)(parameter2), ((result) == pdPASS) ? 1U : 0U)
#define TBAND_ON_PEND_FUNC_CALL(xFunctionToPend, pvParameter1, ulParameter2, xReturn) \
  TBAND_PENDED(PEND_FUNC_CALL, xFunctionToPend, pvParameter1, ulParameter2, xReturn)
#define TBAND_ON_PEND_FUNC_CALL_FROM_ISR(xFunctionToPend, pvParameter1, ulParameter2, xReturn) \
  TBAND_PENDED(PEND_FUNC_CALL_FROM_ISR, xFunctionToPend, pvParameter1, ulParameter2, xReturn)

#endif /* class TIMER */

#endif /* TBAND_HOOKS_TIMER_H */
