/* Trace macros of the class QUEUE_EXTRA: operations on queues, semaphores and mutexes other than sending and
 * receiving. All expand in queue.c, in the kernel's critical section unless noted otherwise. Items sent to the
 * front are reported by traceQUEUE_SEND, in tband_freertos_hooks.h. */
#ifndef TBAND_HOOKS_QUEUE_EXTRA_H
#define TBAND_HOOKS_QUEUE_EXTRA_H

#include "tband.h" /* has no effect unless this header was included directly */

#if tband_configFREERTOS_QUEUE_EXTRA_TRACE_ENABLE != 0

#define TBAND_RECORD_QUEUE(event, queue) TBAND_RECORD_U32(event, TBAND_QUEUE_NUMBER(queue))
/* Records the event of the hook of the same name, which is called with interrupts masked. */
#define TBAND_RECORD_QUEUE_MASKED(event, queue) TBAND_RECORD_MASKED_U32(event, event, TBAND_QUEUE_NUMBER(queue))

#define TBAND_ON_QUEUE_PEEK(pxQueue) TBAND_RECORD_QUEUE_MASKED(QUEUE_PEEK, pxQueue)
#define TBAND_ON_QUEUE_PEEK_FROM_ISR(pxQueue) TBAND_RECORD_QUEUE_MASKED(QUEUE_PEEK_FROM_ISR, pxQueue)

/* Called also when a wait has timed out, in some versions of the kernel outside the critical section. */
#define TBAND_ON_QUEUE_SEND_FAILED(pxQueue) TBAND_RECORD_QUEUE(QUEUE_SEND_FAILED, pxQueue)
#define TBAND_ON_QUEUE_SEND_FROM_ISR_FAILED(pxQueue) \
  TBAND_RECORD_QUEUE_MASKED(QUEUE_SEND_FROM_ISR_FAILED, pxQueue)
#if TBAND_KERNEL_IS_OF_ESP_IDF
#define TBAND_ON_QUEUE_GIVE_FROM_ISR_FAILED(pxQueue) TBAND_ON_QUEUE_SEND_FROM_ISR_FAILED(pxQueue)
#endif
#define TBAND_ON_QUEUE_RECEIVE_FAILED(pxQueue) TBAND_RECORD_QUEUE(QUEUE_RECEIVE_FAILED, pxQueue)
#define TBAND_ON_QUEUE_RECEIVE_FROM_ISR_FAILED(pxQueue) \
  TBAND_RECORD_QUEUE_MASKED(QUEUE_RECEIVE_FROM_ISR_FAILED, pxQueue)
#define TBAND_ON_QUEUE_PEEK_FAILED(pxQueue) TBAND_RECORD_QUEUE(QUEUE_PEEK_FAILED, pxQueue)
#define TBAND_ON_QUEUE_PEEK_FROM_ISR_FAILED(pxQueue) \
  TBAND_RECORD_QUEUE_MASKED(QUEUE_PEEK_FROM_ISR_FAILED, pxQueue)

/* A mutex is a queue that was created before; outside of the critical section. */
#define TBAND_ON_CREATE_MUTEX(pxNewQueue) TBAND_RECORD_QUEUE(MUTEX_CREATED, pxNewQueue)
#define TBAND_ON_CREATE_MUTEX_FAILED() TBAND_RECORD_U32(CREATE_FAILED, TBAND_KERNEL_OBJECT_MUTEX)
#define TBAND_ON_CREATE_COUNTING_SEMAPHORE_FAILED() \
  TBAND_RECORD_U32(CREATE_FAILED, TBAND_KERNEL_OBJECT_COUNTING_SEMAPHORE)
#define TBAND_ON_QUEUE_CREATE_FAILED(ucQueueType) \
  TBAND_RECORD_U32(CREATE_FAILED, TBAND_KERNEL_OBJECT_QUEUE)

/* Outside the critical section. While the running task is the holder, no other task changes the count. The
 * kernel increments or decrements the count after it has called these hooks, and it calls the first one before
 * it knows whether the task gets the mutex. */
#define TBAND_SEMAPHORE(mutex) (((const Queue_t *)(mutex))->u.xSemaphore)
#define TBAND_MUTEX_DEPTH(mutex)                                               \
  (TBAND_SEMAPHORE(mutex).xMutexHolder == xTaskGetCurrentTaskHandle()          \
       ? (uint32_t)TBAND_SEMAPHORE(mutex).uxRecursiveCallCount                 \
       : 0U)
#define TBAND_ON_TAKE_MUTEX_RECURSIVE(pxMutex)                                \
  TBAND_RECORD_U32_U32(MUTEX_RECURSIVE_TAKE, TBAND_QUEUE_NUMBER(pxMutex),     \
                       TBAND_MUTEX_DEPTH(pxMutex) + 1U)
#define TBAND_ON_GIVE_MUTEX_RECURSIVE(pxMutex)                                \
  TBAND_RECORD_U32_U32(MUTEX_RECURSIVE_GIVE, TBAND_QUEUE_NUMBER(pxMutex),     \
                       TBAND_MUTEX_DEPTH(pxMutex) - 1U)
#define TBAND_ON_TAKE_MUTEX_RECURSIVE_FAILED(pxMutex) TBAND_RECORD_QUEUE(MUTEX_RECURSIVE_TAKE_FAILED, pxMutex)
#define TBAND_ON_GIVE_MUTEX_RECURSIVE_FAILED(pxMutex) TBAND_RECORD_QUEUE(MUTEX_RECURSIVE_GIVE_FAILED, pxMutex)

#endif /* class QUEUE_EXTRA */

#endif /* TBAND_HOOKS_QUEUE_EXTRA_H */
