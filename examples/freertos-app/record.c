/*
 * The program's own record: tasks, interrupts and markers. See record.h.
 *
 * A call that does not return to the caller at once (suspending or deleting itself, delaying) is
 * counted before it is made; all others after they have succeeded. The program only deletes tasks
 * that have suspended themselves, so no task disappears between a call and its count.
 */
#include "record.h"

#include <string.h>

struct record rec;

void rec_count(counter *c) {
  if (!atomic_load(&rec.frozen)) {
    atomic_fetch_add(c, 1u);
  }
}

void rec_freeze(void) { atomic_store(&rec.frozen, true); }

/* --- Tasks -------------------------------------------------------------------------- */

/* Newest first: the kernel reuses the memory of deleted tasks for new ones. */
static struct rec_task *find_task(TaskHandle_t handle) {
  for (unsigned i = atomic_load(&rec.task_count); i > 0; i--) {
    if (rec.tasks[i - 1].handle == handle) {
      return &rec.tasks[i - 1];
    }
  }
  configASSERT(!"a task that the record does not know");
  return NULL;
}

static struct rec_task *current_task(void) { return find_task(xTaskGetCurrentTaskHandle()); }

/* Tasks are created by one task at a time: by main(), then by the operator. */
static struct rec_task *new_task(const char *name, UBaseType_t priority) {
  const unsigned index = atomic_load(&rec.task_count);
  configASSERT(index < REC_MAX_TASKS);
  struct rec_task *t = &rec.tasks[index];
  strncpy(t->name, name, sizeof t->name - 1);
  t->priority = (unsigned)priority;
  t->last_priority = (unsigned)priority;
  atomic_store(&t->priority_sets, 1u); /* creation records the first priority */
  atomic_store(&rec.task_count, index + 1u);
  return t;
}

struct rec_task *rec_task_create(TaskFunction_t code, const char *name, void *arg,
                                 UBaseType_t priority) {
  struct rec_task *t = new_task(name, priority);
  /*
   * The kernel stores the handle before the task can run. Its POSIX port calls
   * malloc() and pthread_create() here, which take locks of the C library: with
   * ticks off no other task can be switched to while one of them is held.
   */
  taskENTER_CRITICAL();
  const BaseType_t ok = xTaskCreate(code, name, configMINIMAL_STACK_SIZE, arg, priority, &t->handle);
  taskEXIT_CRITICAL();
  configASSERT(ok == pdPASS);
  return t;
}

struct rec_task *rec_task_create_static(TaskFunction_t code, const char *name, UBaseType_t priority,
                                        StackType_t *stack, uint32_t stack_words,
                                        StaticTask_t *tcb) {
  struct rec_task *t = new_task(name, priority);
  taskENTER_CRITICAL();
  t->handle = xTaskCreateStatic(code, name, stack_words, NULL, priority, stack, tcb);
  taskEXIT_CRITICAL();
  configASSERT(t->handle != NULL);
  return t;
}

void rec_kernel_task(TaskHandle_t handle, const char *name, UBaseType_t priority) {
  struct rec_task *t = new_task(name, priority);
  t->is_kernel_task = true;
  t->handle = handle;
}

void rec_task_delete(struct rec_task *t) {
  configASSERT(eTaskGetState(t->handle) == eSuspended);
  taskENTER_CRITICAL(); /* see rec_task_create() */
  vTaskDelete(t->handle);
  taskEXIT_CRITICAL();
  rec_count(&t->deleted);
}

void rec_task_delete_self(void) {
  rec_count(&current_task()->deleted);
  vTaskDelete(NULL);
  configASSERT(!"a deleted task runs on");
  for (;;) {
  }
}

void rec_delay(TickType_t ticks) {
  configASSERT(ticks > 0); /* a delay of 0 only yields and is not recorded */
  rec_count(&current_task()->delays);
  vTaskDelay(ticks);
}

bool rec_delay_until(TickType_t *last_wake, TickType_t period) {
  /* pdFALSE: the time has passed already, so there is neither a delay nor an event. */
  const bool delayed = xTaskDelayUntil(last_wake, period) == pdTRUE;
  if (delayed) {
    rec_count(&current_task()->delay_untils);
  }
  return delayed;
}

void rec_suspend(struct rec_task *t) {
  vTaskSuspend(t->handle);
  rec_count(&t->suspended);
}

void rec_suspend_self(void) {
  rec_count(&current_task()->suspended);
  vTaskSuspend(NULL);
}

void rec_resume(struct rec_task *t) {
  /* Only a task that is really suspended is resumed, and recorded as resumed. */
  const bool counts = eTaskGetState(t->handle) == eSuspended;
  vTaskResume(t->handle);
  if (counts) {
    rec_count(&t->resumed);
  }
}

/*
 * If the task is not suspended, the kernel resumes nothing and records nothing, and does not report
 * it. So the task itself counts when it runs again.
 */
void rec_resume_from_isr(struct rec_task *t, BaseType_t *woken) {
  if (xTaskResumeFromISR(t->handle) == pdTRUE) {
    *woken = pdTRUE;
  }
}

void rec_note_resumed_from_isr(void) { rec_count(&current_task()->resumed_from_isr); }

void rec_priority_set(struct rec_task *t, UBaseType_t priority) {
  vTaskPrioritySet(t->handle, priority);
  t->last_priority = (unsigned)priority;
  rec_count(&t->priority_sets);
}

/* --- Interrupts ------------------------------------------------------------------------ */

static struct rec_isr *find_isr(uint32_t id) {
  for (unsigned i = 0; i < atomic_load(&rec.isr_count); i++) {
    if (rec.isrs[i].id == id) {
      return &rec.isrs[i];
    }
  }
  configASSERT(!"an interrupt without a name");
  return NULL;
}

void rec_isr_name(uint32_t id, const char *name) {
  const unsigned index = atomic_fetch_add(&rec.isr_count, 1u);
  configASSERT(index < REC_MAX_MARKERS);
  rec.isrs[index].id = id;
  rec.isrs[index].name = name;
  tband_isr_name(id, name);
}

void rec_isr_enter(uint32_t id) {
  tband_isr_enter(id);
  rec_count(&find_isr(id)->enters);
}

void rec_isr_exit(uint32_t id) {
  tband_isr_exit(id);
  rec_count(&find_isr(id)->exits);
}

/* --- Markers ---------------------------------------------------------------------------- */

static struct rec_evtmarker *find_evtmarker(uint32_t id) {
  for (unsigned i = 0; i < atomic_load(&rec.evtmarker_count); i++) {
    if (rec.evtmarkers[i].id == id) {
      return &rec.evtmarkers[i];
    }
  }
  return NULL;
}

static struct rec_evtmarker *new_evtmarker(uint32_t id, const char *name) {
  const unsigned index = atomic_load(&rec.evtmarker_count);
  configASSERT(index < REC_MAX_MARKERS);
  rec.evtmarkers[index].id = id;
  rec.evtmarkers[index].name = name;
  atomic_store(&rec.evtmarker_count, index + 1u);
  return &rec.evtmarkers[index];
}

void rec_evtmarker_name(uint32_t id, const char *name) {
  (void)new_evtmarker(id, name);
  tband_evtmarker_name(id, name);
}

void rec_evtmarker(uint32_t id, const char *msg) {
  tband_evtmarker(id, msg);
  rec_count(&find_evtmarker(id)->instants);
}

void rec_evtmarker_begin(uint32_t id, const char *msg) {
  tband_evtmarker_begin(id, msg);
  rec_count(&find_evtmarker(id)->begins);
}

void rec_evtmarker_end(uint32_t id) {
  tband_evtmarker_end(id);
  rec_count(&find_evtmarker(id)->ends);
}

/* tband has named it already, after the function. */
static struct rec_evtmarker *fn_marker(uint32_t id, const char *function_name) {
  struct rec_evtmarker *m = find_evtmarker(id);
  if (m == NULL) {
    taskENTER_CRITICAL();
    m = new_evtmarker(id, function_name);
    taskEXIT_CRITICAL();
  }
  return m;
}

void rec_note_fn(uint32_t id, const char *function_name) {
  rec_count(&fn_marker(id, function_name)->instants);
}

void rec_note_fn_span(uint32_t id, const char *function_name) {
  struct rec_evtmarker *m = fn_marker(id, function_name);
  rec_count(&m->begins);
  rec_count(&m->ends);
}

void rec_valmarker_name(uint32_t id, const char *name) {
  const unsigned index = atomic_fetch_add(&rec.valmarker_count, 1u);
  configASSERT(index < REC_MAX_MARKERS);
  rec.valmarkers[index].id = id;
  rec.valmarkers[index].name = name;
  tband_valmarker_name(id, name);
}

/* Each value marker is used by one task only, so "last" is the last one recorded. */
void rec_valmarker(uint32_t id, int64_t value) {
  for (unsigned i = 0; i < atomic_load(&rec.valmarker_count); i++) {
    if (rec.valmarkers[i].id == id) {
      tband_valmarker(id, value);
      rec.valmarkers[i].last = value;
      rec_count(&rec.valmarkers[i].values);
      return;
    }
  }
  configASSERT(!"a value marker without a name");
}

void rec_task_evtmarker(uint32_t id, const char *msg) {
  tband_freertos_task_evtmarker(id, msg);
  rec_count(&current_task()->evtmarkers);
}

void rec_task_evtmarker_begin(uint32_t id, const char *msg) {
  tband_freertos_task_evtmarker_begin(id, msg);
  rec_count(&current_task()->evtmarker_begins);
}

void rec_task_evtmarker_end(uint32_t id) {
  tband_freertos_task_evtmarker_end(id);
  rec_count(&current_task()->evtmarker_ends);
}

void rec_task_valmarker(uint32_t id, int64_t value) {
  tband_freertos_task_valmarker(id, value);
  rec_count(&current_task()->valmarkers);
}
