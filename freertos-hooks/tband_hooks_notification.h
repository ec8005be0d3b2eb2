/* Trace macros of the class NOTIFICATION: direct-to-task notifications. All expand in tasks.c.
 *
 * The kernel calls those of the notifying side in its critical section, after it has changed the value and
 * before it wakes the task; pxTCB is the notified task. Kernels before V10.4 have one notification per task,
 * and no index. */
#ifndef TBAND_HOOKS_NOTIFICATION_H
#define TBAND_HOOKS_NOTIFICATION_H

#include "tband.h" /* has no effect unless this header was included directly */
#include "tband_hooks_version.h"

#if tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE != 0

#if TBAND_KERNEL_IS_V10_4
#define TBAND_NOTIFY_VALUE(tcb, index) ((tcb)->ulNotifiedValue[index])
#define TBAND_NOTIFY_STATE(tcb, index) ((tcb)->ucNotifyState[index])
#else
#define TBAND_NOTIFY_VALUE(tcb, index) ((tcb)->ulNotifiedValue)
#define TBAND_NOTIFY_STATE(tcb, index) ((tcb)->ucNotifyState)
#endif

/* xTaskGenericNotify and xTaskGenericNotifyFromISR: eAction and ulValue are parameters, xReturn is pdFAIL if
 * an earlier notification is pending. The recording uses the kernel's numbers of the actions. */
#define TBAND_NOTIFIED(event, index)                                                            \
  TBAND_RECORD_MASKED_NUMBERS(                                                                  \
      event, TBAND_EVT_U32_U32_U32_U32_U32_##event, 5, TBAND_TASK_NUMBER(pxTCB), (uint32_t)(index), \
      (xReturn == pdFAIL) ? TBAND_NOTIFY_ACTION_WRITE_REFUSED : (uint32_t)eAction, ulValue,     \
      TBAND_NOTIFY_VALUE(pxTCB, index))
#define TBAND_NOTIFY_GIVEN(event, index)                                                                   \
  TBAND_RECORD_MASKED_NUMBERS(event, TBAND_EVT_U32_U32_U32_##event, 3, TBAND_TASK_NUMBER(pxTCB),           \
                              (uint32_t)(index), TBAND_NOTIFY_VALUE(pxTCB, index))

/* ulTaskGenericNotifyTake: in the critical section, before the value is taken; xClearCountOnExit is a
 * parameter. */
#define TBAND_NOTIFY_TAKEN(event, index)                                                             \
  TBAND_RECORD_MASKED_NUMBERS(TASK_NOTIFY_TAKE, TBAND_EVT_U32_U32_U32_##event, 3, (uint32_t)(index), \
                              TBAND_NOTIFY_VALUE(TBAND_CURRENT_TCB, index),                          \
                              ((xClearCountOnExit != pdFALSE) ||                                     \
                               (TBAND_NOTIFY_VALUE(TBAND_CURRENT_TCB, index) == 0U))                 \
                                  ? 0U                                                               \
                                  : (TBAND_NOTIFY_VALUE(TBAND_CURRENT_TCB, index) - 1U))

/* xTaskGenericNotifyWait: in the critical section. */
#define TBAND_NOTIFY_AWAITED(event, index)                                                             \
  TBAND_RECORD_MASKED_NUMBERS(                                                                         \
      TASK_NOTIFY_WAIT, TBAND_EVT_U32_U32_U32_##event, 3, (uint32_t)(index),                           \
      TBAND_NOTIFY_VALUE(TBAND_CURRENT_TCB, index),                                                    \
      (TBAND_NOTIFY_STATE(TBAND_CURRENT_TCB, index) == taskNOTIFICATION_RECEIVED) ? 1U : 0U)

/* Both functions: xTicksToWait is a parameter. */
#define TBAND_NOTIFY_BLOCKED(event, index) \
  TBAND_RECORD_U32_TICKS(event, (uint32_t)(index), TBAND_TICKS_TO_WAIT(xTicksToWait))

#if TBAND_KERNEL_IS_V10_4
#define TBAND_ON_TASK_NOTIFY(uxIndexToNotify) TBAND_NOTIFIED(TASK_NOTIFY, uxIndexToNotify)
#define TBAND_ON_TASK_NOTIFY_FROM_ISR(uxIndexToNotify) TBAND_NOTIFIED(TASK_NOTIFY_FROM_ISR, uxIndexToNotify)
#define TBAND_ON_TASK_NOTIFY_GIVE_FROM_ISR(uxIndexToNotify) \
  TBAND_NOTIFY_GIVEN(TASK_NOTIFY_GIVE_FROM_ISR, uxIndexToNotify)
#define TBAND_ON_TASK_NOTIFY_TAKE(uxIndexToWaitOn) TBAND_NOTIFY_TAKEN(CURTASK_NOTIFY_TAKE, uxIndexToWaitOn)
#define TBAND_ON_TASK_NOTIFY_WAIT(uxIndexToWaitOn) TBAND_NOTIFY_AWAITED(CURTASK_NOTIFY_WAIT, uxIndexToWaitOn)
#define TBAND_ON_TASK_NOTIFY_TAKE_BLOCK(uxIndexToWaitOn) \
  TBAND_NOTIFY_BLOCKED(CURTASK_BLOCK_ON_NOTIFY_TAKE, uxIndexToWaitOn)
#define TBAND_ON_TASK_NOTIFY_WAIT_BLOCK(uxIndexToWaitOn) \
  TBAND_NOTIFY_BLOCKED(CURTASK_BLOCK_ON_NOTIFY_WAIT, uxIndexToWaitOn)
#else
#define TBAND_ON_TASK_NOTIFY() TBAND_NOTIFIED(TASK_NOTIFY, 0)
#define TBAND_ON_TASK_NOTIFY_FROM_ISR() TBAND_NOTIFIED(TASK_NOTIFY_FROM_ISR, 0)
#define TBAND_ON_TASK_NOTIFY_GIVE_FROM_ISR() TBAND_NOTIFY_GIVEN(TASK_NOTIFY_GIVE_FROM_ISR, 0)
#define TBAND_ON_TASK_NOTIFY_TAKE() TBAND_NOTIFY_TAKEN(CURTASK_NOTIFY_TAKE, 0)
#define TBAND_ON_TASK_NOTIFY_WAIT() TBAND_NOTIFY_AWAITED(CURTASK_NOTIFY_WAIT, 0)
#define TBAND_ON_TASK_NOTIFY_TAKE_BLOCK() TBAND_NOTIFY_BLOCKED(CURTASK_BLOCK_ON_NOTIFY_TAKE, 0)
#define TBAND_ON_TASK_NOTIFY_WAIT_BLOCK() TBAND_NOTIFY_BLOCKED(CURTASK_BLOCK_ON_NOTIFY_WAIT, 0)
#endif

/* For these functions the kernel has only the hooks at function entry. NULL means the running task. */
#define TBAND_ENTER_xTaskGenericNotifyStateClear(xTask, uxIndexToClear)              \
  TBAND_RECORD_U32_U32(TASK_NOTIFY_STATE_CLEAR,                                      \
                       TBAND_TASK_NUMBER((const TCB_t *)prvGetTCBFromHandle(xTask)), \
                       (uint32_t)(uxIndexToClear))
#define TBAND_ENTER_ulTaskGenericNotifyValueClear(xTask, uxIndexToClear, ulBitsToClear)  \
  TBAND_RECORD_U32_U32_U32(TASK_NOTIFY_VALUE_CLEAR,                                      \
                           TBAND_TASK_NUMBER((const TCB_t *)prvGetTCBFromHandle(xTask)), \
                           (uint32_t)(uxIndexToClear), (uint32_t)(ulBitsToClear))

#endif /* class NOTIFICATION */

#endif /* TBAND_HOOKS_NOTIFICATION_H */
