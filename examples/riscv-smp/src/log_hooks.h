/*
 * The kernel's trace macros again: each action of the kernel is logged, and then recorded by tband. Included at the end
 * of FreeRTOSConfig.h, after tband.h. The log's values come from the kernel's variables; tasks have the number that the
 * kernel assigns.
 */
#ifndef LOG_HOOKS_H_
#define LOG_HOOKS_H_

#include "log.h"

/* No other entry comes between the two on this core. */
#define LOGGED(kind, a, b, record)                            \
  do {                                                        \
    const UBaseType_t log_mask = portSET_INTERRUPT_MASK();    \
    log_append((kind), (uint32_t)(a), (uint32_t)(b));         \
    record;                                                   \
    portCLEAR_INTERRUPT_MASK(log_mask);                       \
  } while (0)
#define LOG_TASK(tcb)    ((tcb)->uxTCBNumber)
#define LOG_QUEUE(queue) ((uintptr_t)(queue))

/* The port's hook: with interrupts disabled, after the kernel's macro and before anything else. */
#define configTASK_SWITCH_HOOK(tcb) log_append(LOG_SWITCHED_IN, LOG_TASK(tcb), 0)

#undef traceSTARTING_SCHEDULER
#define traceSTARTING_SCHEDULER(idle)                       \
  do {                                                      \
    log_append(LOG_SWITCHED_IN, LOG_TASK((idle)[0]), 0);    \
    tband_traceSTARTING_SCHEDULER(idle);                    \
  } while (0)

#undef traceQUEUE_CREATE
#define traceQUEUE_CREATE(queue) \
  LOGGED(LOG_QUEUE_CREATED, LOG_QUEUE(queue), 0, tband_traceQUEUE_CREATE(queue))
#undef traceCREATE_MUTEX
#define traceCREATE_MUTEX(queue) \
  LOGGED(LOG_MUTEX_CREATED, LOG_QUEUE(queue), 0, tband_traceCREATE_MUTEX(queue))
#undef traceQUEUE_SEND
#define traceQUEUE_SEND(queue) \
  LOGGED(LOG_QUEUE_SEND, LOG_QUEUE(queue), (queue)->uxMessagesWaiting + 1U, tband_traceQUEUE_SEND(queue))
#undef traceQUEUE_SEND_FROM_ISR
#define traceQUEUE_SEND_FROM_ISR(queue)                                              \
  LOGGED(LOG_QUEUE_SEND_FROM_ISR, LOG_QUEUE(queue), (queue)->uxMessagesWaiting + 1U, \
         tband_traceQUEUE_SEND_FROM_ISR(queue))
#undef traceQUEUE_SEND_FROM_ISR_FAILED
#define traceQUEUE_SEND_FROM_ISR_FAILED(queue) \
  LOGGED(LOG_QUEUE_SEND_FROM_ISR_FAILED, LOG_QUEUE(queue), 0, tband_traceQUEUE_SEND_FROM_ISR_FAILED(queue))
#undef traceQUEUE_RECEIVE
#define traceQUEUE_RECEIVE(queue) \
  LOGGED(LOG_QUEUE_RECEIVE, LOG_QUEUE(queue), (queue)->uxMessagesWaiting - 1U, tband_traceQUEUE_RECEIVE(queue))
#undef traceQUEUE_RECEIVE_FAILED
#define traceQUEUE_RECEIVE_FAILED(queue) \
  LOGGED(LOG_QUEUE_RECEIVE_FAILED, LOG_QUEUE(queue), 0, tband_traceQUEUE_RECEIVE_FAILED(queue))
#undef traceBLOCKING_ON_QUEUE_SEND
#define traceBLOCKING_ON_QUEUE_SEND(queue) \
  LOGGED(LOG_BLOCK_ON_SEND, LOG_QUEUE(queue), xTicksToWait, tband_traceBLOCKING_ON_QUEUE_SEND(queue))
#undef traceBLOCKING_ON_QUEUE_RECEIVE
#define traceBLOCKING_ON_QUEUE_RECEIVE(queue) \
  LOGGED(LOG_BLOCK_ON_RECEIVE, LOG_QUEUE(queue), xTicksToWait, tband_traceBLOCKING_ON_QUEUE_RECEIVE(queue))

#undef traceTASK_CREATE
#define traceTASK_CREATE(tcb) \
  LOGGED(LOG_TASK_CREATED, LOG_TASK(tcb), (tcb)->uxPriority, tband_traceTASK_CREATE(tcb))
#undef traceTASK_DELETE
#define traceTASK_DELETE(tcb) LOGGED(LOG_TASK_DELETED, LOG_TASK(tcb), 0, tband_traceTASK_DELETE(tcb))
#undef traceMOVED_TASK_TO_READY_STATE
#define traceMOVED_TASK_TO_READY_STATE(tcb) \
  LOGGED(LOG_TASK_READY, LOG_TASK(tcb), 0, tband_traceMOVED_TASK_TO_READY_STATE(tcb))
#undef traceTASK_DELAY
#define traceTASK_DELAY() LOGGED(LOG_DELAY, xTicksToDelay, 0, tband_traceTASK_DELAY())
#undef traceTASK_DELAY_UNTIL
#define traceTASK_DELAY_UNTIL(wake) LOGGED(LOG_DELAY_UNTIL, wake, 0, tband_traceTASK_DELAY_UNTIL(wake))
#undef traceTASK_SUSPEND
#define traceTASK_SUSPEND(tcb) LOGGED(LOG_SUSPENDED, LOG_TASK(tcb), 0, tband_traceTASK_SUSPEND(tcb))
#undef traceTASK_RESUME
#define traceTASK_RESUME(tcb) LOGGED(LOG_RESUMED, LOG_TASK(tcb), 0, tband_traceTASK_RESUME(tcb))
#undef traceTASK_PRIORITY_SET
#define traceTASK_PRIORITY_SET(tcb, priority) \
  LOGGED(LOG_PRIORITY_SET, LOG_TASK(tcb), priority, tband_traceTASK_PRIORITY_SET(tcb, priority))
#undef traceTASK_PRIORITY_INHERIT
#define traceTASK_PRIORITY_INHERIT(tcb, priority) \
  LOGGED(LOG_PRIORITY_INHERIT, LOG_TASK(tcb), priority, tband_traceTASK_PRIORITY_INHERIT(tcb, priority))
#undef traceTASK_PRIORITY_DISINHERIT
#define traceTASK_PRIORITY_DISINHERIT(tcb, priority) \
  LOGGED(LOG_PRIORITY_DISINHERIT, LOG_TASK(tcb), priority, tband_traceTASK_PRIORITY_DISINHERIT(tcb, priority))
/* tband's hook of this function has no name for users. */
#undef traceENTER_vTaskCoreAffinitySet
#define traceENTER_vTaskCoreAffinitySet(task, mask)                                        \
  LOGGED(LOG_AFFINITY_SET, LOG_TASK((const TCB_t *)prvGetTCBFromHandle(task)), mask,       \
         TBAND_ENTER_vTaskCoreAffinitySet(task, mask))

#undef traceTASK_NOTIFY_GIVE_FROM_ISR
#define traceTASK_NOTIFY_GIVE_FROM_ISR(index)                                   \
  LOGGED(LOG_NOTIFY_GIVE_FROM_ISR, LOG_TASK(pxTCB), pxTCB->ulNotifiedValue[index], \
         tband_traceTASK_NOTIFY_GIVE_FROM_ISR(index))
#undef traceTASK_NOTIFY_TAKE_BLOCK
#define traceTASK_NOTIFY_TAKE_BLOCK(index) \
  LOGGED(LOG_BLOCK_ON_NOTIFY_TAKE, index, xTicksToWait, tband_traceTASK_NOTIFY_TAKE_BLOCK(index))
#undef traceTASK_NOTIFY_TAKE
#define traceTASK_NOTIFY_TAKE(index)                                              \
  LOGGED(LOG_NOTIFY_TAKE, index, pxCurrentTCB->ulNotifiedValue[index],            \
         tband_traceTASK_NOTIFY_TAKE(index))

#undef traceMALLOC
#define traceMALLOC(address, size) LOGGED(LOG_MALLOC, (uintptr_t)(address), size, tband_traceMALLOC(address, size))
#undef traceFREE
#define traceFREE(address, size) LOGGED(LOG_FREE, (uintptr_t)(address), size, tband_traceFREE(address, size))

#endif /* LOG_HOOKS_H_ */
