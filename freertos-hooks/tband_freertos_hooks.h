/* The kernel's trace macros, for FreeRTOS V10.1 to V11.3: objects, and the classes TASK and QUEUE. The other classes
 * have a header each, included at the end.
 *
 * Included by tband.h at the end of FreeRTOSConfig.h. The macros expand inside the kernel's source files, where they
 * see the kernel's variables; the comment of each macro names those that it uses. Most run inside the kernel's critical
 * section or with the scheduler suspended. For each kind, objects are numbered from 1 in order of creation. The numbers
 * are stored in the kernel's ux...Number fields, which belong to the recorder. */
#ifndef TBAND_FREERTOS_HOOKS_H
#define TBAND_FREERTOS_HOOKS_H

#include "tband.h" /* has no effect unless this header was included directly */

/* After FreeRTOS.h it is too late: by then each trace macro is defined as empty. Reported here, because files of the
 * application may be compiled first, and instead of a warning for each of the macros. */
#if defined(INC_FREERTOS_H) && defined(PROJDEFS_H)
#define TBAND_HOOKS_ARE_LATE 1
#error "tband: the kernel does not know the recorder's hooks. Add as the last line of FreeRTOSConfig.h:"
#error "    #include \"tband.h\""
#endif

#ifndef TBAND_HOOKS_ARE_LATE

#include "tband_hooks_others.h"

/* In FreeRTOSConfig.h, which FreeRTOS.h includes, the kernel's configuration is above. The kernel's
 * files are compiled before tband_freertos.c could say this. */
#if defined(INC_FREERTOS_H) && \
    (!defined(configUSE_TRACE_FACILITY) || (configUSE_TRACE_FACILITY != 1))
#error "tband: tasks and queues need their trace numbers. Add to FreeRTOSConfig.h, above tband.h:"
#error "    #define configUSE_TRACE_FACILITY 1"
#endif

#include "tband_hooks_version.h"
#include "tband_hooks_agreement.h"
#include "tband_hooks_masked.h"

#ifdef __cplusplus
extern "C" { /* the application's interrupt handlers may be C++ */
#endif

/* A function of the kernel, whose types are not known here; cast back to its real type before the call. */
typedef void (*tband_kernel_function)(void);

/* Defined in tband_freertos.c; called by the hooks only. Names of functions contain the settings, see
 * tband_hooks_agreement.h. */
uint32_t tband_freertos_task_created(uint32_t priority, const char *name);
uint32_t tband_freertos_queue_created(uint8_t kernel_queue_type);
uint32_t tband_freertos_stream_buffer_created(uint32_t kind, uint32_t size, uint32_t trigger_level,
                                              tband_kernel_function number_of);
uint32_t tband_freertos_event_group_created(tband_kernel_function number_of);
void tband_freertos_high_bits(uint32_t event_group, uint64_t bits);
uint32_t tband_freertos_timer_created(uint32_t period, uint32_t auto_reload, uint32_t callback,
                                      const char *name, tband_kernel_function number_of);
#if !TBAND_KERNEL_TRACES_ITS_START
extern uint8_t tband_freertos_idle_tasks_known;
#endif
void tband_freertos_timer_task(void);
void tband_freertos_yielded_to(uint32_t task_number);
uint32_t tband_freertos_stack_is_due(uint32_t task_number);

/* The shim defines them. They run in the shim's critical section, which restores the interrupt mask that it finds, in
 * any context. The kernel's own leaves interrupts masked before the scheduler runs. */
uint32_t tband_freertos_next_number(uint32_t *last);
void tband_kernel_tick(void); /* in port/tband_shim.c, which knows the timer */
void tband_kernel_sleeps(uint32_t ticks);
void tband_kernel_steps(uint32_t ticks);
void tband_freertos_isr_enter(uint32_t isr_number);
void tband_freertos_isr_exit(uint32_t isr_number, uint32_t id);
void tband_freertos_innermost_isr_exit(uint32_t core, uint32_t id);
void tband_freertos_end_isrs(uint32_t core);

/* For kernel ports with memory protection, see tband_hooks_mpu.h. The first two are in the shim: whether the
 * caller may not call the recorder, which is counted; and to count it. */
bool tband_freertos_is_refused(void);
void tband_freertos_refused(uint32_t is_metadata);
extern volatile uint8_t tband_number_is_asked;
extern volatile uint32_t tband_answered_number;

#ifdef __cplusplus
}
#endif

/* Records an event for a class that may be off. A macro of the kernel can be defined only once, but several classes may
 * use it. */
#if tband_configFREERTOS_TASK_TRACE_ENABLE != 0
#define TBAND_IF_TASK(record) record
#else
#define TBAND_IF_TASK(record) ((void)0)
#endif
#if tband_configFREERTOS_TASK_EXTRA_TRACE_ENABLE != 0
#define TBAND_IF_TASK_EXTRA(record) record
#else
#define TBAND_IF_TASK_EXTRA(record) ((void)0)
#endif
#if tband_configFREERTOS_QUEUE_TRACE_ENABLE != 0
#define TBAND_IF_QUEUE(record) record
#else
#define TBAND_IF_QUEUE(record) ((void)0)
#endif
#if tband_configFREERTOS_QUEUE_EXTRA_TRACE_ENABLE != 0
#define TBAND_IF_QUEUE_EXTRA(record) record
#else
#define TBAND_IF_QUEUE_EXTRA(record) ((void)0)
#endif
#if tband_configFREERTOS_STACK_TRACE_ENABLE != 0
#define TBAND_IF_STACK(record) record
#else
#define TBAND_IF_STACK(record) ((void)0)
#endif
#if tband_configFREERTOS_SCHEDULER_STEP_TRACE_ENABLE != 0
#define TBAND_IF_SCHEDULER_STEP(record) record
#else
#define TBAND_IF_SCHEDULER_STEP(record) ((void)0)
#endif

/* How long a task is willing to wait, in ticks. UINT32_MAX means without a timeout, whatever the width of the kernel's
 * ticks. A timeout of UINT32_MAX ticks or more is recorded as UINT32_MAX - 1. The compiler removes the branches that
 * cannot be taken. */
TBAND_INLINE uint32_t tband_ticks_to_wait(uint64_t ticks, bool is_endless) {
  if (is_endless) {
    return UINT32_MAX;
  }
  return (ticks < UINT32_MAX) ? TBAND_AS(uint32_t, ticks) : (UINT32_MAX - 1U);
}
#define TBAND_TICKS_TO_WAIT(ticks) \
  tband_ticks_to_wait((ticks), ((ticks) == portMAX_DELAY) && (INCLUDE_vTaskSuspend == 1))

/* A number of ticks. If it does not fit 32 bits it becomes UINT32_MAX, which readers do not treat as a number. Not for
 * a tick count: its low 32 bits are recorded, so that differences stay correct. */
TBAND_INLINE uint32_t tband_saturated_ticks(uint64_t ticks) {
  return (ticks < UINT32_MAX) ? TBAND_AS(uint32_t, ticks) : UINT32_MAX;
}
#define TBAND_TICKS(ticks) \
  ((sizeof(ticks) > sizeof(uint32_t)) ? tband_saturated_ticks(ticks) : (uint32_t)(ticks))

/* Silences warnings about intended code, for compilers that have them enabled. */
#if defined(__GNUC__)
#define TBAND_PRAGMA(text) _Pragma(#text)
#else
#define TBAND_PRAGMA(text)
#endif

/* The low 32 bits of an address or of any number that the kernel has. */
#define TBAND_LOW_BITS(value) ((uint32_t)(uintptr_t)(value))

/* tasks.c and queue.c know the kernel's version. These hooks come before all others that need a newer kernel than the
 * actual one, so this error appears before those that follow from it. */
#if TBAND_KERNEL_IS_V11
#define TBAND_KERNEL_IS_AS_NEW_AS_THE_HOOKS()                                                     \
  TBAND_STATIC_ASSERT((tskKERNEL_VERSION_MAJOR) >= 11,                                            \
                      "tband: the kernel is older than V11. Put its version into tband_config.h; " \
                      "V10.6.2, for example, is: #define tband_configFREERTOS_VERSION 100602")
#else
#define TBAND_KERNEL_IS_AS_NEW_AS_THE_HOOKS() ((void)0)
#endif

/* ---- Objects: always recorded, so that other classes can refer to them ----------------------- */

/* tasks.c, prvAddNewTaskToReadyList: the new task is completely set up. */
#define TBAND_ON_TASK_CREATE(pxNewTCB)                                               \
  do {                                                                               \
    TBAND_KERNEL_IS_AS_NEW_AS_THE_HOOKS();                                           \
    (pxNewTCB)->uxTaskNumber = (UBaseType_t)tband_freertos_task_created(             \
        (uint32_t)(pxNewTCB)->uxPriority, (const char *)(pxNewTCB)->pcTaskName);     \
  } while (0)

/* tasks.c, vTaskStartScheduler: idle tasks and timer task exist. In older kernels they do when the first task
 * is switched in, which is in that function too. */
#if TBAND_KERNEL_TRACES_ITS_START
#if defined(configUSE_TIMERS) && (configUSE_TIMERS == 1)
#define TBAND_LEARN_TIMER_TASK() tband_freertos_timer_task()
#else
#define TBAND_LEARN_TIMER_TASK() ((void)0)
#endif
#define TBAND_LEARN_IDLE_TASKS() ((void)0)
#define TBAND_ON_STARTING_SCHEDULER(xIdleTaskHandles)                                          \
  do {                                                                                         \
    uint32_t tband_core; /* the kernel may be compiled as gnu90 */                             \
    for (tband_core = 0; tband_core < (uint32_t)TBAND_KERNEL_CORES; tband_core++) {            \
      TBAND_RECORD_META_U32_U32(TASK_IS_IDLE_TASK,                                             \
                                (uint32_t)(xIdleTaskHandles)[tband_core]->uxTaskNumber,        \
                                tband_core);                                                   \
    }                                                                                          \
    TBAND_LEARN_TIMER_TASK();                                                                  \
    TBAND_KEEP_TIME_IN_TICK(); /* it may be long since the start of the recording */           \
  } while (0)
#else
#define TBAND_LEARN_IDLE_TASKS()                  \
  do {                                            \
    if (tband_freertos_idle_tasks_known == 0U) {  \
      tband_freertos_scheduler_started();         \
    }                                             \
  } while (0)
#if tband_configFREERTOS_TASK_TRACE_ENABLE == 0
#define TBAND_ON_TASK_SWITCHED_IN() TBAND_LEARN_IDLE_TASKS()
#endif
#endif

/* queue.c, prvInitialiseNewQueue: ucQueueType is set, the queue is empty. */
#define TBAND_ON_QUEUE_CREATE(pxNewQueue)                                                 \
  do {                                                                                    \
    TBAND_KERNEL_IS_AS_NEW_AS_THE_HOOKS();                                                \
    (pxNewQueue)->uxQueueNumber =                                                         \
        (UBaseType_t)tband_freertos_queue_created((uint8_t)(pxNewQueue)->ucQueueType);    \
  } while (0)

/* queue.c, vQueueAddToRegistry. */
#define TBAND_ON_QUEUE_REGISTRY_ADD(xQueue, pcQueueName) \
  TBAND_RECORD_META_U32_STR(QUEUE_NAME, TBAND_QUEUE_NUMBER(xQueue), (pcQueueName))

/* A deleted object is removed from the metadata buffer. For tasks that happens in tasks.c, vTaskDelete, before its
 * critical section if the kernel has a macro there. NULL means the running task. */
#define TBAND_FORGET_TASK(number)                                                    \
  TBAND_FORGET(TBAND_ID_BIT(TBAND_EVT_META_U32_STR_TASK_NAME) |             \
                            TBAND_ID_BIT(TBAND_EVT_META_U32_U32_TASK_IS_IDLE_TASK) | \
                            TBAND_ID_BIT(TBAND_EVT_META_U32_TASK_IS_TIMER_TASK) |    \
                            TBAND_ID_BIT(TBAND_EVT_META_U32_U32_TASK_BASE_PRIORITY) | \
                            TBAND_ID_BIT(TBAND_EVT_META_U32_U32_STR_TASK_EVTMARKER_NAME) | \
                            TBAND_ID_BIT(TBAND_EVT_META_U32_U32_STR_TASK_VALMARKER_NAME), \
                        (number))
#if TBAND_KERNEL_IS_V11
#define TBAND_ENTER_vTaskDelete(xTaskToDelete) \
  TBAND_FORGET_TASK(TBAND_TASK_NUMBER((const TCB_t *)prvGetTCBFromHandle(xTaskToDelete)))
#define TBAND_FORGET_DELETED_TASK(tcb) ((void)0)
#else
#define TBAND_FORGET_DELETED_TASK(tcb) TBAND_FORGET_TASK(TBAND_TASK_NUMBER(tcb))
#endif

/* queue.c, vQueueDelete; outside of the critical section. */
#define TBAND_ON_QUEUE_DELETE(pxQueue)                                                          \
  do {                                                                                          \
    TBAND_FORGET(TBAND_ID_BIT(TBAND_EVT_META_U32_STR_QUEUE_NAME) |                     \
                              TBAND_ID_BIT(TBAND_EVT_META_U32_U32_QUEUE_KIND),                  \
                          TBAND_QUEUE_NUMBER(pxQueue));                                         \
    TBAND_IF_QUEUE_EXTRA(TBAND_RECORD_U32(QUEUE_DELETED, TBAND_QUEUE_NUMBER(pxQueue)));         \
  } while (0)

#define TBAND_QUEUE_NUMBER(queue) ((uint32_t)((const Queue_t *)(queue))->uxQueueNumber)
#define TBAND_QUEUE_LENGTH(queue) ((uint32_t)((const Queue_t *)(queue))->uxMessagesWaiting)
#define TBAND_TASK_NUMBER(tcb) ((uint32_t)(tcb)->uxTaskNumber)

/* ---- Class TASK ------------------------------------------------------------------------------ */
#if tband_configFREERTOS_TASK_TRACE_ENABLE != 0

/* Packets begin with the task that runs: one that the switch's own event opens, with the task before. A switch stays
 * on its core. */
#if TBAND_USES_PACKETS
extern uint32_t tband_at_begin[][TBAND_AT_BEGIN_WORDS]; /* in port/recorder/tband_packets.h */
#define TBAND_NOTE_RUNNING(number) (tband_at_begin[TBAND_KERNEL_CORE_ID()][0] = (number))
#else
#define TBAND_NOTE_RUNNING(number) ((void)0)
#endif

/* ESP-IDF switches tasks after the outermost interrupt has ended. */
#if TBAND_IS_ESP_IDF && (tband_configFREERTOS_ISR_TRACE_ENABLE != 0)
#define TBAND_END_ISRS() tband_freertos_end_isrs(TBAND_KERNEL_CORE_ID())
#else
#define TBAND_END_ISRS() ((void)0)
#endif

/* tasks.c, vTaskSwitchContext: the current task is the one that runs next. Without preemption the idle
 * task yields in a loop; only real switches are of interest then. */
#define TBAND_ON_TASK_SWITCHED_IN()                                             \
  do {                                                                          \
    TBAND_END_ISRS();                                                           \
    TBAND_LEARN_IDLE_TASKS();                                                   \
    const uint32_t tband_task = TBAND_TASK_NUMBER(TBAND_CURRENT_TCB);           \
    if ((configUSE_PREEMPTION) != 0) {                                          \
      TBAND_RECORD_MASKED_U32(TASK_SWITCHED_IN, TASK_SWITCHED_IN, tband_task);  \
    } else {                                                                    \
      tband_freertos_yielded_to(tband_task);                                    \
    }                                                                           \
    TBAND_NOTE_RUNNING(tband_task);                                             \
  } while (0)

#define TBAND_ON_TASK_RESUME(pxTaskToResume) \
  TBAND_RECORD_MASKED_U32(TASK_RESUME, TASK_RESUMED, TBAND_TASK_NUMBER(pxTaskToResume))
#define TBAND_ON_TASK_RESUME_FROM_ISR(pxTaskToResume) \
  TBAND_RECORD_MASKED_U32(TASK_RESUME_FROM_ISR, TASK_RESUMED_FROM_ISR, TBAND_TASK_NUMBER(pxTaskToResume))
#define TBAND_ON_TASK_SUSPEND(pxTaskToSuspend) \
  TBAND_RECORD_MASKED_U32(TASK_SUSPEND, TASK_SUSPENDED, TBAND_TASK_NUMBER(pxTaskToSuspend))

/* tasks.c, vTaskDelay: xTicksToDelay is its parameter. */
#define TBAND_ON_TASK_DELAY() TBAND_RECORD_U32(CURTASK_DELAY, TBAND_TICKS(xTicksToDelay))
#define TBAND_ON_TASK_DELAY_UNTIL(xTimeToWake) \
  TBAND_RECORD_U32(CURTASK_DELAY_UNTIL, (uint32_t)(xTimeToWake))

/* Triggers that wait for a task distinguish its wake-ups from changes of its priority. For these the kernel puts the
 * task into a ready list again, in the same block in which it calls one of the two macros below; see
 * traceMOVED_TASK_TO_READY_STATE. An inherited priority is reported after that: the trigger then discards that
 * wake-up. */
#if tband_configUSE_TRIGGERS
void tband_freertos_relisted(uint32_t task_number); /* in the shim */
enum { tband_is_relisted = 0 };
#define TBAND_RELISTS_IN_THIS_BLOCK                \
  TBAND_PRAGMA(GCC diagnostic push)                \
  TBAND_PRAGMA(GCC diagnostic ignored "-Wshadow")  \
  enum { tband_is_relisted = 1 };                  \
  TBAND_PRAGMA(GCC diagnostic pop)
#define TBAND_RECORD_READY(number)           \
  do {                                       \
    if (tband_is_relisted != 0) {            \
      tband_freertos_relisted(number);       \
    } else {                                 \
      TBAND_RECORD_U32(TASK_TO_RDY_STATE, number); \
    }                                        \
  } while (0)
#else
#define TBAND_RELISTS_IN_THIS_BLOCK
#define TBAND_RECORD_READY(number) TBAND_RECORD_U32(TASK_TO_RDY_STATE, (number))
#endif

/* tasks.c, vTaskPrioritySet, in the critical section: the priority that the kernel uses. It has limited a priority that
 * is too high. The metadata is stored before the event, here and elsewhere: if an interrupt or another core starts a
 * recording between the two, the recording has the priority from the metadata. */
#define TBAND_ON_TASK_PRIORITY_SET(pxTask, uxNewPriority)                                           \
  TBAND_RELISTS_IN_THIS_BLOCK                                                                       \
  do {                                                                                              \
    TBAND_UPDATE_U32_U32(TASK_BASE_PRIORITY, TBAND_TASK_NUMBER(pxTask), (uint32_t)(uxNewPriority)); \
    TBAND_RECORD_MASKED_U32_U32(TASK_PRIORITY_SET, TASK_PRIORITY_SET, TBAND_TASK_NUMBER(pxTask),    \
                                (uint32_t)(uxNewPriority));                                         \
  } while (0)
#define TBAND_ON_TASK_PRIORITY_INHERIT(pxTCBOfMutexHolder, uxInheritedPriority)  \
  TBAND_RECORD_MASKED_U32_U32(TASK_PRIORITY_INHERIT, TASK_PRIORITY_INHERIT,      \
                              TBAND_TASK_NUMBER(pxTCBOfMutexHolder), (uint32_t)(uxInheritedPriority))
#define TBAND_ON_TASK_PRIORITY_DISINHERIT(pxTCBOfMutexHolder, uxOriginalPriority)   \
  TBAND_RELISTS_IN_THIS_BLOCK                                                       \
  TBAND_RECORD_MASKED_U32_U32(TASK_PRIORITY_DISINHERIT, TASK_PRIORITY_DISINHERIT,   \
                              TBAND_TASK_NUMBER(pxTCBOfMutexHolder), (uint32_t)(uxOriginalPriority))

#endif /* class TASK */

/* Classes TASK and TASK_EXTRA. xTaskAbortDelay has a local variable tband_aborts_delay that shadows this one: only at
 * this point does the kernel know whether there is a wait to abort. */
#if (tband_configFREERTOS_TASK_TRACE_ENABLE != 0) || (tband_configFREERTOS_TASK_EXTRA_TRACE_ENABLE != 0)
enum { tband_aborts_delay = 0 };
#define TBAND_ON_MOVED_TASK_TO_READY_STATE(pxTCB)                                              \
  do {                                                                                         \
    TBAND_IF_TASK_EXTRA(if (tband_aborts_delay != 0) {                                         \
      TBAND_RECORD_U32(TASK_DELAY_ABORT, TBAND_TASK_NUMBER(pxTCB));                            \
    });                                                                                        \
    TBAND_IF_TASK(TBAND_RECORD_READY(TBAND_TASK_NUMBER(pxTCB)));                               \
  } while (0)
#endif

/* The class STACK, too. The stack of a deleted task is no longer in use, unless the task deletes itself. */
#define TBAND_ON_TASK_DELETE(pxTaskToDelete)                                             \
  do {                                                                                   \
    TBAND_IF_STACK(TBAND_STACK_HIGH_WATER_MARK(pxTaskToDelete));                         \
    TBAND_FORGET_DELETED_TASK(pxTaskToDelete);                                           \
    TBAND_IF_TASK(TBAND_RECORD_U32(TASK_DELETED, TBAND_TASK_NUMBER(pxTaskToDelete)));    \
  } while (0)

/* ---- Class QUEUE ----------------------------------------------------------------------------- */
#if (tband_configFREERTOS_QUEUE_TRACE_ENABLE != 0) || \
    (tband_configFREERTOS_QUEUE_EXTRA_TRACE_ENABLE != 0)

/* The kernel calls the send and receive hooks before it changes uxMessagesWaiting; the recording has
 * the length after. */

/* queue.c, xQueueGenericSend: xCopyPosition is its parameter. An overwritten queue has length 1. */
#if TBAND_KERNEL_IS_V10_4
#define TBAND_ON_QUEUE_SEND(pxQueue) \
  TBAND_QUEUE_SENT(QUEUE_SEND, pxQueue, xCopyPosition, QUEUE_SEND, QUEUE_OVERWRITE)
#else
#define TBAND_ON_QUEUE_SEND(pxQueue) \
  TBAND_QUEUE_SENT(QUEUE_SEND, pxQueue, TBAND_COPY_POSITION(pxQueue), QUEUE_SEND, QUEUE_OVERWRITE)
#endif

/* If the copy position is unknown: only overwriting can send to a full queue. Overwriting an empty queue, and an item
 * sent to the front, are then recorded like any item. */
#define TBAND_COPY_POSITION(pxQueue) \
  (((pxQueue)->uxMessagesWaiting == (pxQueue)->uxLength) ? queueOVERWRITE : queueSEND_TO_BACK)

/* queue.c: traceQUEUE_SEND_FROM_ISR is called both in xQueueGenericSendFromISR, which has a copy position, and in
 * xQueueGiveFromISR, which has none. The entry hooks of both store it in a local variable of the same name. */
#if TBAND_KERNEL_IS_V11
#define TBAND_ENTER_xQueueGenericSendFromISR(xQueue, pvItemToQueue, pxHigherPriorityTaskWoken, \
                                             xCopyPosition)                                    \
  const BaseType_t tband_copy_position = (xCopyPosition)
#define TBAND_ENTER_xQueueGiveFromISR(xQueue, pxHigherPriorityTaskWoken) \
  const BaseType_t tband_copy_position = queueSEND_TO_BACK
#define TBAND_ON_QUEUE_SEND_FROM_ISR(pxQueue) \
  TBAND_QUEUE_SENT(QUEUE_SEND_FROM_ISR, pxQueue, tband_copy_position, QUEUE_SEND_FROM_ISR, \
                   QUEUE_OVERWRITE_FROM_ISR)
#elif TBAND_KERNEL_IS_OF_ESP_IDF
/* Its xQueueGiveFromISR and xQueueSemaphoreTake have macros of their own. */
#define TBAND_ON_QUEUE_SEND_FROM_ISR(pxQueue) \
  TBAND_QUEUE_SENT(QUEUE_SEND_FROM_ISR, pxQueue, xCopyPosition, QUEUE_SEND_FROM_ISR, QUEUE_OVERWRITE_FROM_ISR)
#define TBAND_ON_QUEUE_GIVE_FROM_ISR(pxQueue) \
  TBAND_QUEUE_SENT(QUEUE_SEND_FROM_ISR, pxQueue, queueSEND_TO_BACK, QUEUE_SEND_FROM_ISR, QUEUE_OVERWRITE_FROM_ISR)
#else
#define TBAND_ON_QUEUE_SEND_FROM_ISR(pxQueue)                                         \
  TBAND_QUEUE_SENT(QUEUE_SEND_FROM_ISR, pxQueue, TBAND_COPY_POSITION(pxQueue), QUEUE_SEND_FROM_ISR, \
                   QUEUE_OVERWRITE_FROM_ISR)
#endif

#define TBAND_QUEUE_SENT(hook, pxQueue, position, send, overwrite)                                      \
  do {                                                                                                  \
    if ((position) == queueOVERWRITE) {                                                                 \
      TBAND_IF_QUEUE(TBAND_RECORD_MASKED_U32_U32(hook, overwrite, TBAND_QUEUE_NUMBER(pxQueue), 1U));    \
    } else {                                                                                            \
      TBAND_IF_QUEUE(TBAND_RECORD_MASKED_U32_U32(hook, send, TBAND_QUEUE_NUMBER(pxQueue),               \
                                                 TBAND_QUEUE_LENGTH(pxQueue) + 1U));                    \
      TBAND_IF_QUEUE_EXTRA(if ((position) == queueSEND_TO_FRONT) {                                      \
        TBAND_RECORD_MASKED_U32(hook, QUEUE_SENT_TO_FRONT, TBAND_QUEUE_NUMBER(pxQueue));                \
      });                                                                                               \
    }                                                                                                   \
  } while (0)

/* queue.c, prvNotifyQueueSetContainer. A set is never overwritten. Without this the kernel would take
 * traceQUEUE_SEND, in a function without copy position; before V10.4 it calls that one anyway. */
#define TBAND_ON_QUEUE_SET_SEND(pxQueueSet)                                                    \
  TBAND_IF_QUEUE(TBAND_RECORD_MASKED_U32_U32(QUEUE_SET_SEND, QUEUE_SEND,                       \
                                             TBAND_QUEUE_NUMBER(pxQueueSet),                   \
                                             TBAND_QUEUE_LENGTH(pxQueueSet) + 1U))

#endif /* classes QUEUE and QUEUE_EXTRA */

#if tband_configFREERTOS_QUEUE_TRACE_ENABLE != 0

#define TBAND_ON_QUEUE_RECEIVE(pxQueue)                                                  \
  TBAND_RECORD_MASKED_U32_U32(QUEUE_RECEIVE, QUEUE_RECEIVE, TBAND_QUEUE_NUMBER(pxQueue), \
                              TBAND_QUEUE_LENGTH(pxQueue) - 1U)
#if TBAND_KERNEL_IS_OF_ESP_IDF
#define TBAND_ON_QUEUE_SEMAPHORE_RECEIVE(pxQueue) TBAND_ON_QUEUE_RECEIVE(pxQueue)
#endif
#define TBAND_ON_QUEUE_RECEIVE_FROM_ISR(pxQueue)                             \
  TBAND_RECORD_MASKED_U32_U32(QUEUE_RECEIVE_FROM_ISR, QUEUE_RECEIVE_FROM_ISR, \
                              TBAND_QUEUE_NUMBER(pxQueue), TBAND_QUEUE_LENGTH(pxQueue) - 1U)

/* queue.c: xTicksToWait is a parameter of every function that blocks. */
#define TBAND_ON_BLOCKING_ON_QUEUE_PEEK(pxQueue)                                  \
  TBAND_RECORD_U32_TICKS(CURTASK_BLOCK_ON_QUEUE_PEEK, TBAND_QUEUE_NUMBER(pxQueue), \
                       TBAND_TICKS_TO_WAIT(xTicksToWait))
#define TBAND_ON_BLOCKING_ON_QUEUE_SEND(pxQueue)                                  \
  TBAND_RECORD_U32_TICKS(CURTASK_BLOCK_ON_QUEUE_SEND, TBAND_QUEUE_NUMBER(pxQueue), \
                       TBAND_TICKS_TO_WAIT(xTicksToWait))
#define TBAND_ON_BLOCKING_ON_QUEUE_RECEIVE(pxQueue)                                  \
  TBAND_RECORD_U32_TICKS(CURTASK_BLOCK_ON_QUEUE_RECEIVE, TBAND_QUEUE_NUMBER(pxQueue), \
                       TBAND_TICKS_TO_WAIT(xTicksToWait))

/* queue.c, xQueueCreateCountingSemaphore: xHandle is the new semaphore, its count is set. */
#define TBAND_ON_CREATE_COUNTING_SEMAPHORE()                               \
  TBAND_RECORD_U32_U32(QUEUE_CUR_LENGTH, TBAND_QUEUE_NUMBER(xHandle), \
                       TBAND_QUEUE_LENGTH(xHandle))

/* queue.c: for a reset the kernel has only the hooks at function entry and exit, before its critical section begins and
 * after it has ended. The hooks extend that section to the whole function, so nothing happens to the queue between the
 * event and the reset. A new queue is reset once before it has a number; an existing one has passed all checks of the
 * kernel. */
#define TBAND_ENTER_xQueueGenericReset(xQueue, xNewQueue)          \
  if (((xNewQueue) == pdFALSE) && ((xQueue) != NULL)) {             \
    taskENTER_CRITICAL();                                           \
    TBAND_RECORD_U32(QUEUE_RESET, TBAND_QUEUE_NUMBER(xQueue));      \
  }
#define TBAND_RETURN_xQueueGenericReset(xReturn)                    \
  if ((xNewQueue == pdFALSE) && ((xReturn) != pdFAIL)) {            \
    taskEXIT_CRITICAL();                                            \
  }

/* queue.c, co-routines: the kernel has no hooks for their sends and receives except at function entry and exit. There
 * interrupts are enabled again, so if an interrupt sends in between, two events contain the same level. Before V11
 * they have no hooks at all, which tband_freertos.c reports when it is compiled. */
#define TBAND_RETURN_xQueueCRSend(xReturn)                                                                \
  if (((xReturn) == pdPASS) || ((xReturn) == errQUEUE_YIELD)) {                                            \
    TBAND_RECORD_U32_U32(QUEUE_SEND, TBAND_QUEUE_NUMBER(pxQueue), TBAND_QUEUE_LENGTH(pxQueue));            \
  }
#define TBAND_RETURN_xQueueCRReceive(xReturn)                                                             \
  if (((xReturn) == pdPASS) || ((xReturn) == errQUEUE_YIELD)) {                                            \
    TBAND_RECORD_U32_U32(QUEUE_RECEIVE, TBAND_QUEUE_NUMBER(pxQueue), TBAND_QUEUE_LENGTH(pxQueue));         \
  }
/* It sends if there is room, and where it wakes a co-routine the kernel has no macro after that. */
#define TBAND_ENTER_xQueueCRSendFromISR(xQueue, pvItemToQueue, xCoRoutinePreviouslyWoken)                          \
  if (pxQueue->uxMessagesWaiting < pxQueue->uxLength) {                                                             \
    TBAND_RECORD_U32_U32(QUEUE_SEND_FROM_ISR, TBAND_QUEUE_NUMBER(pxQueue), TBAND_QUEUE_LENGTH(pxQueue) + 1U);       \
  }
#define TBAND_RETURN_xQueueCRReceiveFromISR(xReturn)                                                               \
  if ((xReturn) == pdPASS) {                                                                                        \
    TBAND_RECORD_U32_U32(QUEUE_RECEIVE_FROM_ISR, TBAND_QUEUE_NUMBER(pxQueue), TBAND_QUEUE_LENGTH(pxQueue));         \
  }

#endif /* class QUEUE */

#include "tband_hooks_task_extra.h"
#include "tband_hooks_queue_extra.h"
#include "tband_hooks_notification.h"
#include "tband_hooks_stream_buffer.h"
#include "tband_hooks_event_group.h"
#include "tband_hooks_timer.h"
#include "tband_hooks_system.h"
#include "tband_hooks_mpu.h"
#if TBAND_KERNEL_IS_V11
#include "tband_hooks_api.h" /* last: it joins what the others want to know of calls */
#endif

#endif /* TBAND_HOOKS_ARE_LATE */

#endif /* TBAND_FREERTOS_HOOKS_H */
