/*
 * The program's own record: queues, semaphores, mutexes, sets and timer commands. See record.h. The
 * kernel's actions inside one call count too: creating a mutex gives it once, and sending to a
 * member of a queue set also sends to the set.
 */
#include "record.h"

struct rec_queue *rec_queue_add(QueueHandle_t handle, enum rec_queue_kind kind, const char *name) {
  const unsigned index = atomic_fetch_add(&rec.queue_count, 1u);
  configASSERT(index < REC_MAX_QUEUES);
  configASSERT(handle != NULL);
  struct rec_queue *q = &rec.queues[index];
  q->handle = handle;
  q->kind = kind;
  q->name = name;
  if (kind == REC_MUTEX || kind == REC_RECURSIVE) {
    rec_count(&q->sends);
  }
  return q;
}

static struct rec_queue *timer_queue;

void rec_timer_queue_add(const char *name) {
  const unsigned index = atomic_fetch_add(&rec.queue_count, 1u);
  configASSERT(index < REC_MAX_QUEUES);
  timer_queue = &rec.queues[index];
  timer_queue->kind = REC_QUEUE;
  timer_queue->name = name;
}

void rec_queue_set_add(struct rec_queue *member, struct rec_queue *set) {
  const BaseType_t ok = xQueueAddToSet(member->handle, set->handle);
  configASSERT(ok == pdPASS);
  member->set = set;
}

static void count_send(struct rec_queue *q, counter *which) {
  rec_count(which);
  if (q->set != NULL) {
    rec_count(&q->set->sends); /* also when sent from an interrupt */
  }
}

/* --- Queues ---------------------------------------------------------------------------- */

bool rec_send(struct rec_queue *q, const void *item, TickType_t ticks) {
  const bool ok = xQueueSend(q->handle, item, ticks) == pdPASS;
  if (ok) {
    count_send(q, &q->sends);
  }
  return ok;
}

bool rec_send_from_isr(struct rec_queue *q, const void *item, BaseType_t *woken) {
  const bool ok = xQueueSendFromISR(q->handle, item, woken) == pdPASS;
  if (ok) {
    count_send(q, &q->sends_from_isr);
  }
  return ok;
}

void rec_overwrite(struct rec_queue *q, const void *item) {
  (void)xQueueOverwrite(q->handle, item); /* cannot fail */
  rec_count(&q->overwrites);
}

void rec_overwrite_from_isr(struct rec_queue *q, const void *item, BaseType_t *woken) {
  (void)xQueueOverwriteFromISR(q->handle, item, woken);
  rec_count(&q->overwrites_from_isr);
}

bool rec_receive(struct rec_queue *q, void *item, TickType_t ticks) {
  const bool ok = xQueueReceive(q->handle, item, ticks) == pdPASS;
  if (ok) {
    rec_count(&q->receives);
  }
  return ok;
}

bool rec_receive_from_isr(struct rec_queue *q, void *item, BaseType_t *woken) {
  const bool ok = xQueueReceiveFromISR(q->handle, item, woken) == pdPASS;
  if (ok) {
    rec_count(&q->receives_from_isr);
  }
  return ok;
}

bool rec_peek(struct rec_queue *q, void *item, TickType_t ticks) {
  return xQueuePeek(q->handle, item, ticks) == pdPASS; /* recorded only when it blocks */
}

void rec_reset(struct rec_queue *q) {
  (void)xQueueReset(q->handle);
  rec_count(&q->resets);
}

struct rec_queue *rec_select(struct rec_queue *set, TickType_t ticks) {
  const QueueSetMemberHandle_t member = xQueueSelectFromSet(set->handle, ticks);
  if (member == NULL) {
    return NULL;
  }
  rec_count(&set->receives);
  for (unsigned i = 0; i < atomic_load(&rec.queue_count); i++) {
    if (rec.queues[i].handle == member) {
      return &rec.queues[i];
    }
  }
  configASSERT(!"a queue that the record does not know");
  return NULL;
}

/* --- Semaphores and mutexes --------------------------------------------------------------- */

bool rec_give(struct rec_queue *q) {
  /* A priority is restored when the last mutex is given; this program holds one at a time. */
  const bool disinherits = (q->kind == REC_MUTEX || q->kind == REC_RECURSIVE) &&
                           uxTaskPriorityGet(NULL) != uxTaskBasePriorityGet(NULL);
  const bool ok = xSemaphoreGive(q->handle) == pdPASS;
  if (ok) {
    count_send(q, &q->sends);
    if (disinherits) {
      rec_count(&rec.disinheritances);
    }
  }
  return ok;
}

bool rec_give_from_isr(struct rec_queue *q, BaseType_t *woken) {
  const bool ok = xSemaphoreGiveFromISR(q->handle, woken) == pdPASS;
  if (ok) {
    count_send(q, &q->sends_from_isr);
  }
  return ok;
}

bool rec_take(struct rec_queue *q, TickType_t ticks) {
  /*
   * The holder inherits if its priority is below ours. In that case it cannot run before we block,
   * and the tasks that could preempt us here do not use any of our mutexes, so the state that is
   * read here is still valid inside the kernel.
   */
  if (q->kind == REC_MUTEX && ticks > 0) {
    const TaskHandle_t holder = xSemaphoreGetMutexHolder(q->handle);
    if (holder != NULL && uxTaskPriorityGet(holder) < uxTaskPriorityGet(NULL)) {
      rec_count(&rec.inheritances);
    }
  }
  const bool ok = xSemaphoreTake(q->handle, ticks) == pdPASS;
  if (ok) {
    rec_count(&q->receives);
  }
  return ok;
}

/*
 * Only the first take and the last give of a holder reach the queue. The tasks
 * that share a recursive mutex here have equal priorities: nothing to inherit.
 */
void rec_take_recursive(struct rec_queue *q) {
  const bool first = xSemaphoreGetMutexHolder(q->handle) != xTaskGetCurrentTaskHandle();
  const BaseType_t ok = xSemaphoreTakeRecursive(q->handle, portMAX_DELAY);
  configASSERT(ok == pdPASS);
  if (first) {
    rec_count(&q->receives);
  }
}

void rec_give_recursive(struct rec_queue *q) {
  const BaseType_t ok = xSemaphoreGiveRecursive(q->handle);
  configASSERT(ok == pdPASS);
  if (xSemaphoreGetMutexHolder(q->handle) != xTaskGetCurrentTaskHandle()) {
    rec_count(&q->sends);
  }
}

/* --- Software timers ------------------------------------------------------------------------- */

static void count_timer_command(void) {
  rec_count(&timer_queue->sends);
  rec_count(&timer_queue->receives); /* the timer task takes every command */
}

void rec_timer_start(TimerHandle_t timer) {
  const BaseType_t ok = xTimerStart(timer, 0);
  configASSERT(ok == pdPASS);
  count_timer_command();
}

void rec_timer_stop(TimerHandle_t timer) {
  const BaseType_t ok = xTimerStop(timer, 0);
  configASSERT(ok == pdPASS);
  count_timer_command();
}

void rec_note_final_lengths(void) {
  for (unsigned i = 0; i < atomic_load(&rec.queue_count); i++) {
    if (rec.queues[i].handle != NULL) {
      rec.queues[i].final_length = (unsigned)uxQueueMessagesWaiting(rec.queues[i].handle);
    }
  }
}
