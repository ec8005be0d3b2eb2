/*
 * The program's own record of its actions, kept without the tracer: thin wrappers of the kernel's
 * and tband's functions, which count successful calls. At the end truth.c writes the counts, and a
 * test compares them with the recording.
 *
 * Every counter represents events that the recorder must have recorded. Counters are atomic: tasks
 * preempt each other, and interrupts count as well.
 */
#ifndef RECORD_H_
#define RECORD_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"
#include "timers.h"

enum {
  REC_MAX_ROUNDS = 200,
  REC_MAX_TASKS = 24 + 2 * REC_MAX_ROUNDS, /* each round creates two */
  REC_MAX_QUEUES = 20,
  REC_MAX_MARKERS = 8, /* of each kind, including interrupts */
};

typedef atomic_uint counter;

/* The wire format's numbers for the kinds of queue. */
enum rec_queue_kind {
  REC_QUEUE = 0,
  REC_COUNTING = 1,
  REC_BINARY = 2,
  REC_MUTEX = 3,
  REC_RECURSIVE = 4,
  REC_SET = 5,
};

struct rec_task {
  char name[configMAX_TASK_NAME_LEN];
  TaskHandle_t handle;
  unsigned priority;      /* when created */
  unsigned last_priority; /* last one set */
  bool is_kernel_task;
  counter deleted, delays, delay_untils, suspended, resumed, resumed_from_isr, priority_sets;
  counter evtmarkers, evtmarker_begins, evtmarker_ends, valmarkers; /* task-local ones */
};

struct rec_queue {
  const char *name;
  QueueHandle_t handle;
  struct rec_queue *set; /* the queue set it belongs to */
  enum rec_queue_kind kind;
  unsigned final_length;
  counter sends, sends_from_isr, overwrites, overwrites_from_isr;
  counter receives, receives_from_isr, resets;
};

struct rec_isr {
  uint32_t id;
  const char *name;
  counter enters, exits;
};

struct rec_evtmarker {
  uint32_t id;
  const char *name;
  counter instants, begins, ends;
};

struct rec_valmarker {
  uint32_t id;
  const char *name;
  counter values;
  int64_t last; /* not atomic, which not every chip has for 64 bits: one task uses it */
};

/* --- All counters (truth.c reads them) ------------------------------------------ */

struct record {
  struct rec_task tasks[REC_MAX_TASKS];
  struct rec_queue queues[REC_MAX_QUEUES];
  struct rec_isr isrs[REC_MAX_MARKERS];
  struct rec_evtmarker evtmarkers[REC_MAX_MARKERS];
  struct rec_valmarker valmarkers[REC_MAX_MARKERS];
  atomic_uint task_count, queue_count, isr_count, evtmarker_count, valmarker_count;
  counter inheritances, disinheritances;
  atomic_bool frozen;
};
extern struct record rec;

/* Adds 1 unless the record is frozen. */
void rec_count(counter *c);

/* From here on no counter changes. Call it where tracing stops, in one critical section. */
void rec_freeze(void);

/* --- Tasks -------------------------------------------------------------------------- */

struct rec_task *rec_task_create(TaskFunction_t code, const char *name, void *arg,
                                 UBaseType_t priority);
struct rec_task *rec_task_create_static(TaskFunction_t code, const char *name, UBaseType_t priority,
                                        StackType_t *stack, uint32_t stack_words, StaticTask_t *tcb);
/* A task that the kernel has created itself. */
void rec_kernel_task(TaskHandle_t handle, const char *name, UBaseType_t priority);
void rec_task_delete(struct rec_task *t);
__attribute__((noreturn)) void rec_task_delete_self(void);
void rec_delay(TickType_t ticks);
bool rec_delay_until(TickType_t *last_wake, TickType_t period);
void rec_suspend(struct rec_task *t);
void rec_suspend_self(void);
void rec_resume(struct rec_task *t);
/* Wakes a task that suspended itself, if it has got so far. It then counts that itself. */
void rec_resume_from_isr(struct rec_task *t, BaseType_t *woken);
void rec_note_resumed_from_isr(void);
void rec_priority_set(struct rec_task *t, UBaseType_t priority);

/* --- Queues and semaphores ------------------------------------------------------------ */

/* Notes a queue, semaphore, mutex or set that has just been created. */
struct rec_queue *rec_queue_add(QueueHandle_t handle, enum rec_queue_kind kind, const char *name);
/* Notes the queue of the timer task, which only the kernel has a handle of. */
void rec_timer_queue_add(const char *name);
void rec_queue_set_add(struct rec_queue *member, struct rec_queue *set);
bool rec_send(struct rec_queue *q, const void *item, TickType_t ticks);
bool rec_send_from_isr(struct rec_queue *q, const void *item, BaseType_t *woken);
void rec_overwrite(struct rec_queue *q, const void *item);
void rec_overwrite_from_isr(struct rec_queue *q, const void *item, BaseType_t *woken);
bool rec_receive(struct rec_queue *q, void *item, TickType_t ticks);
bool rec_receive_from_isr(struct rec_queue *q, void *item, BaseType_t *woken);
bool rec_peek(struct rec_queue *q, void *item, TickType_t ticks);
void rec_reset(struct rec_queue *q);
struct rec_queue *rec_select(struct rec_queue *set, TickType_t ticks);

bool rec_give(struct rec_queue *q);
bool rec_give_from_isr(struct rec_queue *q, BaseType_t *woken);
bool rec_take(struct rec_queue *q, TickType_t ticks);
void rec_give_recursive(struct rec_queue *q);
void rec_take_recursive(struct rec_queue *q);

/* Commands to the timer task go through its queue, one item each. */
void rec_timer_start(TimerHandle_t timer);
void rec_timer_stop(TimerHandle_t timer);

/* Lengths at the end; needs living queues and no task that still uses them. */
void rec_note_final_lengths(void);

/* --- Interrupts and markers -------------------------------------------------------------- */

void rec_isr_name(uint32_t id, const char *name);
void rec_isr_enter(uint32_t id);
void rec_isr_exit(uint32_t id);

void rec_evtmarker_name(uint32_t id, const char *name);
void rec_evtmarker(uint32_t id, const char *msg);
void rec_evtmarker_begin(uint32_t id, const char *msg);
void rec_evtmarker_end(uint32_t id);
void rec_valmarker_name(uint32_t id, const char *name);
void rec_valmarker(uint32_t id, int64_t value);

/* tband_fn() and friends act on the function they are in; these only count. */
void rec_note_fn(uint32_t id, const char *function_name);      /* tband_fn */
void rec_note_fn_span(uint32_t id, const char *function_name); /* tband_fn_begin and _end */

/* Task-local markers: of the calling task. */
void rec_task_evtmarker(uint32_t id, const char *msg);
void rec_task_evtmarker_begin(uint32_t id, const char *msg);
void rec_task_evtmarker_end(uint32_t id);
void rec_task_valmarker(uint32_t id, int64_t value);

/* --- truth.c ------------------------------------------------------------------------------ */

/* Takes a part of the text; returns false if it could not be written. */
typedef bool (*rec_text_sink)(const char *text, size_t len);

/* Writes the record as JSON; returns false if the sink did not take all of it. */
bool rec_write_truth(rec_text_sink sink, const char *backend, uint32_t refused_frames);

#endif /* RECORD_H_ */
