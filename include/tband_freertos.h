/* The functions of tband that deal with FreeRTOS objects, and the kernel's trace hooks.
 *
 * Included by tband.h, in FreeRTOSConfig.h too, so kernel types cannot be used here: handles are `void *`, because
 * every handle converts to that. With tband_configENABLE or tband_configFREERTOS_TRACE_ENABLE 0 the functions do
 * nothing and no hook is defined. */
#ifndef TBAND_FREERTOS_H
#define TBAND_FREERTOS_H

#include "tband.h" /* has no effect unless this header was included directly */

#define TBAND_FREERTOS_ENABLED \
  ((tband_configENABLE != 0) && (tband_configFREERTOS_TRACE_ENABLE != 0))

#ifdef __cplusplus
extern "C" {
#endif

#if TBAND_FREERTOS_ENABLED

/* Defined in freertos-hooks/tband_freertos.c, which knows the kernel's types. */

/** Number of a queue, semaphore or mutex in the recording; 0 if it was created unrecorded. */
uint32_t tband_freertos_queue_number(void *handle);
/** Number of a stream or message buffer, like tband_freertos_queue_number(). */
uint32_t tband_freertos_stream_buffer_number(void *handle);
/** Number of an event group, like tband_freertos_queue_number(). */
uint32_t tband_freertos_event_group_number(void *handle);
/** Number of a software timer, like tband_freertos_queue_number(). */
uint32_t tband_freertos_timer_number(void *handle);
/** Number of the running task in the recording; 0 before the scheduler runs. */
uint32_t tband_freertos_current_task_number(void);
/** Records which tasks are the idle task and the timer task. Optional: the hooks do it when the kernel starts. */
void tband_freertos_scheduler_started(void);

#if tband_configFREERTOS_ISR_TRACE_ENABLE != 0
/** Returns the number of interrupts of the class ISR on a core since reset whose handler called traceISR_ENTER, but
 * neither traceISR_EXIT nor portYIELD_FROM_ISR, counted when the interrupt is entered again or an outer one ends. 0
 * for cores that do not exist. */
uint32_t tband_freertos_get_missed_isr_exit_cnt(unsigned int core_id);
#endif

#else

TBAND_INLINE uint32_t tband_freertos_queue_number(void *handle) {
  (void)handle;
  return 0;
}
TBAND_INLINE uint32_t tband_freertos_stream_buffer_number(void *handle) {
  (void)handle;
  return 0;
}
TBAND_INLINE uint32_t tband_freertos_event_group_number(void *handle) {
  (void)handle;
  return 0;
}
TBAND_INLINE uint32_t tband_freertos_timer_number(void *handle) {
  (void)handle;
  return 0;
}
TBAND_INLINE uint32_t tband_freertos_current_task_number(void) { return 0; }
TBAND_INLINE void tband_freertos_scheduler_started(void) {}

#endif

#if !TBAND_FREERTOS_ENABLED || (tband_configFREERTOS_ISR_TRACE_ENABLE == 0)
TBAND_INLINE uint32_t tband_freertos_get_missed_isr_exit_cnt(unsigned int core_id) {
  (void)core_id;
  return 0;
}
#endif

#if TBAND_FREERTOS_ENABLED && tband_configALLOW_INJECT
/** Allows the host to send items of `item_size` bytes, at most 20 and the item size of the queue, to this queue; with
 * 0, to give this semaphore. Returns 0, or -1 if items are larger or tband_configINJECT_OBJECTS are allowed already.
 * Context: a task, or before the scheduler runs; not concurrently. */
int tband_freertos_allow_queue(void *queue, uint32_t item_size);
/** Allows the host to notify this task. Like tband_freertos_allow_queue(). */
int tband_freertos_allow_task(void *task);
/** Revokes this. Call it before the object is deleted, in the task that calls tband_obey(), or while that does not
 * run. */
void tband_freertos_disallow(void *handle);

/* For port/tband_commands.c: executes a command with these arguments, and returns the answer. */
int tband_freertos_obey_send(const uint32_t *args);
int tband_freertos_obey_notify(const uint32_t *args);
#else
TBAND_INLINE int tband_freertos_allow_queue(void *queue, uint32_t item_size) {
  (void)queue;
  (void)item_size;
  return TBAND_FREERTOS_ENABLED ? -1 : 0;
}
TBAND_INLINE int tband_freertos_allow_task(void *task) { return tband_freertos_allow_queue(task, 0); }
TBAND_INLINE void tband_freertos_disallow(void *handle) { (void)handle; }
#endif

/* Leaves out a call unless FreeRTOS and the given class are recorded. */
#define TBAND_FREERTOS_IF(enabled, call) TBAND_IF(TBAND_FREERTOS_ENABLED && ((enabled) != 0), call)

/** Names a queue. Metadata. vQueueAddToRegistry() names queues of the registry automatically. */
TBAND_INLINE void tband_freertos_queue_name(void *handle, const char *name) {
  TBAND_FREERTOS_IF(1, TBAND_RECORD_META_U32_STR(QUEUE_NAME, tband_freertos_queue_number(handle), name));
}
/** Like tband_freertos_queue_name. */
TBAND_INLINE void tband_freertos_binary_semaphore_name(void *handle, const char *name) {
  tband_freertos_queue_name(handle, name);
}
/** Like tband_freertos_queue_name. */
TBAND_INLINE void tband_freertos_counting_semaphore_name(void *handle, const char *name) {
  tband_freertos_queue_name(handle, name);
}
/** Like tband_freertos_queue_name. */
TBAND_INLINE void tband_freertos_mutex_name(void *handle, const char *name) {
  tband_freertos_queue_name(handle, name);
}
/** Like tband_freertos_queue_name. */
TBAND_INLINE void tband_freertos_recursive_mutex_name(void *handle, const char *name) {
  tband_freertos_queue_name(handle, name);
}

/** Names a stream or message buffer. Metadata. */
TBAND_INLINE void tband_freertos_stream_buffer_name(void *handle, const char *name) {
  TBAND_FREERTOS_IF(tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE,
                    TBAND_RECORD_META_U32_STR(STREAM_BUFFER_NAME,
                                              tband_freertos_stream_buffer_number(handle), name));
}
/** Names an event group. Metadata. */
TBAND_INLINE void tband_freertos_event_group_name(void *handle, const char *name) {
  TBAND_FREERTOS_IF(tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE,
                    TBAND_RECORD_META_U32_STR(EVENT_GROUP_NAME,
                                              tband_freertos_event_group_number(handle), name));
}
/** Gives a software timer another name than the kernel's. Metadata. */
TBAND_INLINE void tband_freertos_timer_name(void *handle, const char *name) {
  TBAND_FREERTOS_IF(
      tband_configFREERTOS_TIMER_TRACE_ENABLE,
      TBAND_RECORD_META_U32_STR(TIMER_NAME, tband_freertos_timer_number(handle), name));
}

/* Like the functions without _var, with the name of the variable that holds the handle. */
#define tband_freertos_queue_name_var(variable) tband_freertos_queue_name((variable), #variable)
#define tband_freertos_stream_buffer_name_var(variable) \
  tband_freertos_stream_buffer_name((variable), #variable)
#define tband_freertos_event_group_name_var(variable) \
  tband_freertos_event_group_name((variable), #variable)

/* Task-local markers belong to the running task: call them from tasks, not from interrupts. */

/** Names an event marker of the running task. Metadata. */
TBAND_INLINE void tband_freertos_task_evtmarker_name(uint32_t id, const char *name) {
  TBAND_FREERTOS_IF(tband_configMARKER_TRACE_ENABLE,
                    TBAND_RECORD_META_U32_U32_STR(TASK_EVTMARKER_NAME, id,
                                                  tband_freertos_current_task_number(), name));
}
/** An instant, with a text. */
TBAND_INLINE void tband_freertos_task_evtmarker(uint32_t id, const char *msg) {
  TBAND_FREERTOS_IF(tband_configMARKER_TRACE_ENABLE, TBAND_RECORD_U32_STR(TASK_EVTMARKER, id, msg));
}
/** A span opens, with a text. Spans nest. */
TBAND_INLINE void tband_freertos_task_evtmarker_begin(uint32_t id, const char *msg) {
  TBAND_FREERTOS_IF(tband_configMARKER_TRACE_ENABLE,
                    TBAND_RECORD_U32_STR(TASK_EVTMARKER_BEGIN, id, msg));
}
/** The innermost open span ends. */
TBAND_INLINE void tband_freertos_task_evtmarker_end(uint32_t id) {
  TBAND_FREERTOS_IF(tband_configMARKER_TRACE_ENABLE, TBAND_RECORD_U32(TASK_EVTMARKER_END, id));
}
/** Names a value marker of the running task. Metadata. */
TBAND_INLINE void tband_freertos_task_valmarker_name(uint32_t id, const char *name) {
  TBAND_FREERTOS_IF(tband_configMARKER_TRACE_ENABLE,
                    TBAND_RECORD_META_U32_U32_STR(TASK_VALMARKER_NAME, id,
                                                  tband_freertos_current_task_number(), name));
}
/** A value of this marker. */
TBAND_INLINE void tband_freertos_task_valmarker(uint32_t id, int64_t val) {
  TBAND_FREERTOS_IF(tband_configMARKER_TRACE_ENABLE, TBAND_RECORD_U32_S64(TASK_VALMARKER, id, val));
}

#ifdef __cplusplus
}
#endif

#if TBAND_FREERTOS_ENABLED
#include "tband_freertos_hooks.h"
#endif

/* Macros of the application call the hooks by names that exist in every configuration. Without FreeRTOS the folder
 * may be missing. */
#if tband_configFREERTOS_TRACE_ENABLE != 0
#include "tband_hooks_names.h"
#elif defined(TBAND_CAN_LOOK_FOR_FILES)
#if __has_include("tband_hooks_names.h")
#include "tband_hooks_names.h"
#endif
#endif

/* Kernels before V11 lack the empty definitions of these macros, which handlers of the application call. ESP-IDF's
 * kernel has them, with the number of the interrupt as argument. */
#if (tband_configFREERTOS_TRACE_ENABLE != 0) && ((tband_configFREERTOS_VERSION) < 110000) && !TBAND_IS_ESP_IDF
#ifndef traceISR_ENTER
#define traceISR_ENTER()
#endif
#ifndef traceISR_EXIT
#define traceISR_EXIT()
#endif
#ifndef traceISR_EXIT_TO_SCHEDULER
#define traceISR_EXIT_TO_SCHEDULER()
#endif
#endif

#endif /* TBAND_FREERTOS_H */
