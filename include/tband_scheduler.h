/* Recording your own scheduler: tasks, and the objects that they wait for. Included by tband.h; needs
 * tband_configUSE_SCHEDULER 1. FreeRTOS has hooks, and does not need these functions.
 *
 * You number your tasks and your objects, each from 1 on. Call each function where your scheduler takes the step of
 * that name. The running task, or the open interrupt, counts as the actor: a task that becomes ready is woken by
 * it. The events are those of FreeRTOS tasks and queues, so all views, tables and rules work with them. Context: any
 * that may record. Cost: one event per call, two or three for tband_task_create() and tband_object_create(). */
#ifndef TBAND_SCHEDULER_H
#define TBAND_SCHEDULER_H

#include "tband.h" /* has no effect unless this header was included directly */

#if tband_configENABLE != 0
/* In the shim: packets begin with the running task. */
void tband_record_running(uint32_t task);
/* Like the functions below without `scheduler`, for languages that cannot inline C. */
void tband_scheduler_task_create(uint32_t task, const char *name, uint32_t priority);
void tband_scheduler_task_is_idle(uint32_t task, uint32_t core);
void tband_scheduler_block(void);
void tband_scheduler_block_on(uint32_t object);
void tband_scheduler_block_on_put(uint32_t object);
void tband_scheduler_task_set_priority(uint32_t task, uint32_t priority);
void tband_scheduler_task_name(uint32_t task, const char *name);
void tband_scheduler_task_end(uint32_t task);
void tband_scheduler_object_create(uint32_t object, uint32_t kind, const char *name, uint32_t level);
void tband_scheduler_object_put(uint32_t object, uint32_t level);
void tband_scheduler_object_take(uint32_t object, uint32_t level);
/* Returns the number of the core that calls it. */
uint32_t tband_scheduler_core(void);
#endif

#if (tband_configENABLE != 0) && (tband_configUSE_SCHEDULER != 0)
#define TBAND_SCHEDULES(call) call
#define TBAND_RECORD_RUNNING(task) tband_record_running(task)
#else
#define TBAND_SCHEDULES(call) ((void)0)
#define TBAND_RECORD_RUNNING(task) ((void)(task))
#endif

/** Records that a task was created; it is ready from here on. A higher priority is a larger number. Call it before the
 * task's first event. With a `name` of NULL the task is called by its number until tband_task_name(). */
TBAND_INLINE void tband_task_create(uint32_t task, const char *name, uint32_t priority) {
#if (tband_configENABLE != 0) && (tband_configUSE_SCHEDULER != 0)
  TBAND_STORE_NEW_U32_U32(TASK_BASE_PRIORITY, task, priority);
  TBAND_RECORD_U32(TASK_CREATED, task);
  TBAND_RECORD_U32_U32(TASK_PRIORITY_SET, task, priority);
  if (name != TBAND_NULL) {
    TBAND_RECORD_NEW_U32_STR(TASK_NAME, task, name);
  }
#else
  (void)task;
  (void)name;
  (void)priority;
#endif
}

/** Records that a task has another priority from here on. */
TBAND_INLINE void tband_task_set_priority(uint32_t task, uint32_t priority) {
#if (tband_configENABLE != 0) && (tband_configUSE_SCHEDULER != 0)
  TBAND_UPDATE_U32_U32(TASK_BASE_PRIORITY, task, priority);
  TBAND_RECORD_U32_U32(TASK_PRIORITY_SET, task, priority);
#else
  (void)task;
  (void)priority;
#endif
}

/** Names a task that was created without a name. A task with another name counts as another task. Metadata. */
TBAND_INLINE void tband_task_name(uint32_t task, const char *name) {
  (void)task;
  (void)name;
  TBAND_SCHEDULES(TBAND_RECORD_META_U32_STR(TASK_NAME, task, name));
}

/** Records which task is the idle task, which runs on a core while no other does. Call it once, after
 * tband_task_create(). */
TBAND_INLINE void tband_task_is_idle(uint32_t task, uint32_t core) {
  (void)task;
  (void)core;
  TBAND_SCHEDULES(TBAND_RECORD_META_U32_U32(TASK_IS_IDLE_TASK, task, core));
}

/** A task becomes ready. The open interrupt, or else the running task, has woken it. */
TBAND_INLINE void tband_task_ready(uint32_t task) {
  (void)task;
  TBAND_SCHEDULES(TBAND_RECORD_U32(TASK_TO_RDY_STATE, task));
}

/** A task runs on this core from here on. The previous one is ready, unless it reported a wait or
 * tband_task_suspend() before. */
TBAND_INLINE void tband_task_run(uint32_t task) { TBAND_RECORD_RUNNING(task); }

/** The running task waits until a task or interrupt wakes it. It leaves the core with the next tband_task_run(). */
TBAND_INLINE void tband_task_block(void) {
  TBAND_SCHEDULES(TBAND_RECORD_U32_TICKS(CURTASK_BLOCK_ON_NOTIFY_TAKE, 0, 0xFFFFFFFFU));
}

/** The running task waits for an object. It leaves the core with the next tband_task_run(). */
TBAND_INLINE void tband_task_block_on(uint32_t object) {
  (void)object;
  TBAND_SCHEDULES(TBAND_RECORD_U32_TICKS(CURTASK_BLOCK_ON_QUEUE_RECEIVE, object, 0xFFFFFFFFU));
}

/** The running task waits until an object has space. It leaves the core with the next tband_task_run(). */
TBAND_INLINE void tband_task_block_on_put(uint32_t object) {
  (void)object;
  TBAND_SCHEDULES(TBAND_RECORD_U32_TICKS(CURTASK_BLOCK_ON_QUEUE_SEND, object, 0xFFFFFFFFU));
}

/** A task is suspended until tband_task_ready(), whether it was ready or waited. If it runs, it leaves the core with
 * the next tband_task_run(). */
TBAND_INLINE void tband_task_suspend(uint32_t task) {
  (void)task;
  TBAND_SCHEDULES(TBAND_RECORD_U32(TASK_SUSPENDED, task));
}

/** A task has ended. Its number may be used again. */
TBAND_INLINE void tband_task_end(uint32_t task) {
#if (tband_configENABLE != 0) && (tband_configUSE_SCHEDULER != 0)
  TBAND_FORGET(TBAND_ID_BIT(TBAND_EVT_META_U32_STR_TASK_NAME) | TBAND_ID_BIT(TBAND_EVT_META_U32_U32_TASK_IS_IDLE_TASK) |
                   TBAND_ID_BIT(TBAND_EVT_META_U32_U32_TASK_BASE_PRIORITY),
               task);
  TBAND_RECORD_U32(TASK_DELETED, task);
#else
  (void)task;
#endif
}

/** Records that an object was created, of a kind TBAND_QUEUE_KIND_*, with a level: items in a queue, count of a
 * semaphore, 1 for a free mutex. */
TBAND_INLINE void tband_object_create(uint32_t object, uint32_t kind, const char *name, uint32_t level) {
#if (tband_configENABLE != 0) && (tband_configUSE_SCHEDULER != 0)
  TBAND_RECORD_U32(QUEUE_CREATED, object);
  TBAND_RECORD_NEW_U32_U32(QUEUE_KIND, object, kind);
  TBAND_RECORD_U32_U32(QUEUE_CUR_LENGTH, object, level);
  TBAND_RECORD_NEW_U32_STR(QUEUE_NAME, object, name);
#else
  (void)object;
  (void)kind;
  (void)name;
  (void)level;
#endif
}

/** The running task, or the open interrupt, puts an item into a queue, or gives a semaphore or mutex. `level` is the
 * new level. */
TBAND_INLINE void tband_object_put(uint32_t object, uint32_t level) {
  (void)object;
  (void)level;
  TBAND_SCHEDULES(TBAND_RECORD_U32_U32(QUEUE_SEND, object, level));
}

/** The running task, or the open interrupt, takes an item out of a queue, or takes a semaphore or mutex. `level` is the
 * new level. The task that takes a mutex holds it until it gives it back. */
TBAND_INLINE void tband_object_take(uint32_t object, uint32_t level) {
  (void)object;
  (void)level;
  TBAND_SCHEDULES(TBAND_RECORD_U32_U32(QUEUE_RECEIVE, object, level));
}

#endif /* TBAND_SCHEDULER_H */
