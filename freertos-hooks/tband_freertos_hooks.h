/* The kernel's trace macros, for FreeRTOS V11.
 *
 * Pulled in by tband.h at the end of FreeRTOSConfig.h. The macros expand inside tasks.c and queue.c,
 * where they see the kernel's own variables; each says what it takes from there. Most run inside the
 * kernel's critical section or with the scheduler suspended.
 * Numbers of tasks and queues count up from 1 in order of creation and live in the kernel's
 * uxTaskNumber and uxQueueNumber, which belong to the recorder. */
#ifndef TBAND_FREERTOS_HOOKS_H
#define TBAND_FREERTOS_HOOKS_H

#include "tband.h" /* does nothing unless this header was included by itself */

/* In FreeRTOSConfig.h, which FreeRTOS.h includes, the kernel's configuration stands above. The kernel's
 * files are compiled before tband_freertos.c could say this. */
#if defined(INC_FREERTOS_H) && \
    (!defined(configUSE_TRACE_FACILITY) || (configUSE_TRACE_FACILITY != 1))
#error "tband: tasks and queues need their trace numbers. Add to FreeRTOSConfig.h, above tband.h:"
#error "    #define configUSE_TRACE_FACILITY 1"
#endif

/* Defined in tband_freertos.c; called by the hooks below only. */
uint32_t tband_freertos_task_created(uint32_t priority, const char *name);
uint32_t tband_freertos_queue_created(uint8_t kernel_queue_type);
void tband_freertos_idle_task(uint32_t task_number, uint32_t core_id);
void tband_freertos_timer_task(void);
void tband_freertos_yielded_to(uint32_t task_number);

/* ---- Objects: always recorded, so that other classes can refer to them ----------------------- */

/* tasks.c, prvAddNewTaskToReadyList: the new task is wholly set up. */
#define traceTASK_CREATE(pxNewTCB)                                                   \
  (pxNewTCB)->uxTaskNumber = (UBaseType_t)tband_freertos_task_created(               \
      (uint32_t)(pxNewTCB)->uxPriority, (const char *)(pxNewTCB)->pcTaskName)

/* tasks.c, vTaskStartScheduler: idle tasks and timer task exist. */
#define traceSTARTING_SCHEDULER(xIdleTaskHandles)                                                 \
  do {                                                                                            \
    for (uint32_t tband_core = 0; tband_core < (uint32_t)(configNUMBER_OF_CORES); tband_core++) { \
      tband_freertos_idle_task((uint32_t)(xIdleTaskHandles)[tband_core]->uxTaskNumber,            \
                               tband_core);                                                       \
    }                                                                                             \
    tband_freertos_timer_task();                                                                  \
  } while (0)

/* queue.c, prvInitialiseNewQueue: ucQueueType is set, the queue is empty. */
#define traceQUEUE_CREATE(pxNewQueue) \
  (pxNewQueue)->uxQueueNumber =       \
      (UBaseType_t)tband_freertos_queue_created((uint8_t)(pxNewQueue)->ucQueueType)

/* queue.c, vQueueAddToRegistry. */
#define traceQUEUE_REGISTRY_ADD(xQueue, pcQueueName) \
  TBAND_RECORD_META_U32_STR(QUEUE_NAME, TBAND_QUEUE_NUMBER(xQueue), (pcQueueName))

#define TBAND_QUEUE_NUMBER(queue) ((uint32_t)((const Queue_t *)(queue))->uxQueueNumber)
#define TBAND_QUEUE_LENGTH(queue) ((uint32_t)((const Queue_t *)(queue))->uxMessagesWaiting)
#define TBAND_TASK_NUMBER(tcb) ((uint32_t)(tcb)->uxTaskNumber)

/* ---- Class TASK ------------------------------------------------------------------------------ */
#if tband_configFREERTOS_TASK_TRACE_ENABLE != 0

/* tasks.c, vTaskSwitchContext: pxCurrentTCB is the task that runs next. Without preemption the idle
 * task yields in a loop; only real switches are of interest then. */
#define traceTASK_SWITCHED_IN()                                            \
  do {                                                                     \
    if ((configUSE_PREEMPTION) != 0) {                                     \
      TBAND_RECORD_U32(TASK_SWITCHED_IN, TBAND_TASK_NUMBER(pxCurrentTCB)); \
    } else {                                                               \
      tband_freertos_yielded_to(TBAND_TASK_NUMBER(pxCurrentTCB));          \
    }                                                                      \
  } while (0)

#define traceMOVED_TASK_TO_READY_STATE(pxTCB) \
  TBAND_RECORD_U32(TASK_TO_RDY_STATE, TBAND_TASK_NUMBER(pxTCB))
#define traceTASK_RESUME(pxTaskToResume) \
  TBAND_RECORD_U32(TASK_RESUMED, TBAND_TASK_NUMBER(pxTaskToResume))
#define traceTASK_RESUME_FROM_ISR(pxTaskToResume) \
  TBAND_RECORD_U32(TASK_RESUMED_FROM_ISR, TBAND_TASK_NUMBER(pxTaskToResume))
#define traceTASK_SUSPEND(pxTaskToSuspend) \
  TBAND_RECORD_U32(TASK_SUSPENDED, TBAND_TASK_NUMBER(pxTaskToSuspend))
#define traceTASK_DELETE(pxTaskToDelete) \
  TBAND_RECORD_U32(TASK_DELETED, TBAND_TASK_NUMBER(pxTaskToDelete))

/* tasks.c, vTaskDelay: xTicksToDelay is its parameter. */
#define traceTASK_DELAY() TBAND_RECORD_U32(CURTASK_DELAY, (uint32_t)xTicksToDelay)
#define traceTASK_DELAY_UNTIL(xTimeToWake) \
  TBAND_RECORD_U32(CURTASK_DELAY_UNTIL, (uint32_t)(xTimeToWake))

#define traceTASK_PRIORITY_SET(pxTask, uxNewPriority) \
  TBAND_RECORD_U32_U32(TASK_PRIORITY_SET, TBAND_TASK_NUMBER(pxTask), (uint32_t)(uxNewPriority))
#define traceTASK_PRIORITY_INHERIT(pxTCBOfMutexHolder, uxInheritedPriority)                 \
  TBAND_RECORD_U32_U32(TASK_PRIORITY_INHERIT, TBAND_TASK_NUMBER(pxTCBOfMutexHolder), \
                       (uint32_t)(uxInheritedPriority))
#define traceTASK_PRIORITY_DISINHERIT(pxTCBOfMutexHolder, uxOriginalPriority)                  \
  TBAND_RECORD_U32_U32(TASK_PRIORITY_DISINHERIT, TBAND_TASK_NUMBER(pxTCBOfMutexHolder), \
                       (uint32_t)(uxOriginalPriority))

#endif /* class TASK */

/* ---- Class QUEUE ----------------------------------------------------------------------------- */
#if tband_configFREERTOS_QUEUE_TRACE_ENABLE != 0

/* The kernel calls the send and receive hooks before it changes uxMessagesWaiting; the recording has
 * the length after. */

/* queue.c, xQueueGenericSend: xCopyPosition is its parameter. An overwritten queue has length 1. */
#define traceQUEUE_SEND(pxQueue)                                                          \
  do {                                                                                    \
    if (xCopyPosition == queueOVERWRITE) {                                                \
      TBAND_RECORD_U32_U32(QUEUE_OVERWRITE, TBAND_QUEUE_NUMBER(pxQueue), 1U);             \
    } else {                                                                              \
      TBAND_RECORD_U32_U32(QUEUE_SEND, TBAND_QUEUE_NUMBER(pxQueue),                       \
                           TBAND_QUEUE_LENGTH(pxQueue) + 1U);                             \
    }                                                                                     \
  } while (0)

/* queue.c, prvNotifyQueueSetContainer. A set is never overwritten. */
#define traceQUEUE_SET_SEND(pxQueueSet)                                  \
  TBAND_RECORD_U32_U32(QUEUE_SEND, TBAND_QUEUE_NUMBER(pxQueueSet), TBAND_QUEUE_LENGTH(pxQueueSet) + 1U)

/* queue.c: traceQUEUE_SEND_FROM_ISR stands both in xQueueGenericSendFromISR, which has a copy
 * position, and in xQueueGiveFromISR, which has none. The entry hooks of both leave it in a local
 * variable of one name. */
#define traceENTER_xQueueGenericSendFromISR(xQueue, pvItemToQueue, pxHigherPriorityTaskWoken, \
                                            xCopyPosition)                                    \
  const BaseType_t tband_copy_position = (xCopyPosition)
#define traceENTER_xQueueGiveFromISR(xQueue, pxHigherPriorityTaskWoken) \
  const BaseType_t tband_copy_position = queueSEND_TO_BACK
#define traceQUEUE_SEND_FROM_ISR(pxQueue)                                                  \
  do {                                                                                     \
    if (tband_copy_position == queueOVERWRITE) {                                           \
      TBAND_RECORD_U32_U32(QUEUE_OVERWRITE_FROM_ISR, TBAND_QUEUE_NUMBER(pxQueue), 1U);     \
    } else {                                                                               \
      TBAND_RECORD_U32_U32(QUEUE_SEND_FROM_ISR, TBAND_QUEUE_NUMBER(pxQueue),               \
                           TBAND_QUEUE_LENGTH(pxQueue) + 1U);                              \
    }                                                                                      \
  } while (0)

#define traceQUEUE_RECEIVE(pxQueue)                                \
  TBAND_RECORD_U32_U32(QUEUE_RECEIVE, TBAND_QUEUE_NUMBER(pxQueue), \
                       TBAND_QUEUE_LENGTH(pxQueue) - 1U)
#define traceQUEUE_RECEIVE_FROM_ISR(pxQueue)                                \
  TBAND_RECORD_U32_U32(QUEUE_RECEIVE_FROM_ISR, TBAND_QUEUE_NUMBER(pxQueue), \
                       TBAND_QUEUE_LENGTH(pxQueue) - 1U)

/* queue.c: xTicksToWait is a parameter of every function that blocks. */
#define traceBLOCKING_ON_QUEUE_PEEK(pxQueue)                                      \
  TBAND_RECORD_U32_U32(CURTASK_BLOCK_ON_QUEUE_PEEK, TBAND_QUEUE_NUMBER(pxQueue), \
                       (uint32_t)xTicksToWait)
#define traceBLOCKING_ON_QUEUE_SEND(pxQueue)                                      \
  TBAND_RECORD_U32_U32(CURTASK_BLOCK_ON_QUEUE_SEND, TBAND_QUEUE_NUMBER(pxQueue), \
                       (uint32_t)xTicksToWait)
#define traceBLOCKING_ON_QUEUE_RECEIVE(pxQueue)                                      \
  TBAND_RECORD_U32_U32(CURTASK_BLOCK_ON_QUEUE_RECEIVE, TBAND_QUEUE_NUMBER(pxQueue), \
                       (uint32_t)xTicksToWait)

/* queue.c, xQueueCreateCountingSemaphore: xHandle is the new semaphore, its count is set. */
#define traceCREATE_COUNTING_SEMAPHORE()                                   \
  TBAND_RECORD_U32_U32(QUEUE_CUR_LENGTH, TBAND_QUEUE_NUMBER(xHandle), \
                       TBAND_QUEUE_LENGTH(xHandle))

/* queue.c: the kernel has no hook for a reset, but for entering the function. A new queue is reset
 * once before it has a number. */
#define traceENTER_xQueueGenericReset(xQueue, xNewQueue)         \
  do {                                                           \
    if (((xNewQueue) == pdFALSE) && ((xQueue) != NULL)) {        \
      TBAND_RECORD_U32(QUEUE_RESET, TBAND_QUEUE_NUMBER(xQueue)); \
    }                                                            \
  } while (0)

#endif /* class QUEUE */

#endif /* TBAND_FREERTOS_HOOKS_H */
