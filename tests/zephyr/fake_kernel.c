/* A kernel that calls the hooks and macros in the order in which Zephyr does, and keeps a second log. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_kernel.h"

#include <zephyr/kernel_structs.h>

#define THREADS 24
#define TICK_ISR 0xFFFFFFFFU
#define NO_LEVEL 0xFFFFFFFFU

struct fake_cpu fake_cpu;

static pthread_mutex_t baton = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t passed = PTHREAD_COND_INITIALIZER;
static struct k_thread *all[THREADS]; /* that are not dead */
static unsigned int depth, locks;
static uint32_t numbers[8];
static bool are_reported[8];
static void (*before_switch)(void);
static struct k_thread main_object, idle_object, dummy;
static void (*main_entry)(void);
static FILE *log_file; /* NULL: recording is off */

static void note(const char *format, ...) {
  if (log_file != NULL) {
    va_list values;
    va_start(values, format);
    (void)vfprintf(log_file, format, values);
    va_end(values);
    (void)fputc('\n', log_file);
  }
}

/* A step of the running thread or interrupt. An interrupt without hooks is in the recording for this step only. */
static void note_by_actor(const char *what, const void *of, unsigned int level) {
  const bool is_unreported = (depth != 0U) && !are_reported[depth];
  if (is_unreported) {
    note("isr_enter %u", numbers[depth]);
  }
  if (level == NO_LEVEL) {
    note("%s %p", what, of);
  } else {
    note("%s %p %u", what, of, level);
  }
  if (is_unreported) {
    note("isr_exit %u", numbers[depth]);
  }
}

static void demand(bool is_right, const char *what) {
  if (!is_right) {
    (void)fprintf(stderr, "fake kernel: %s\n", what);
    abort();
  }
}

/* ---- The processor ---------------------------------------------------------------------------------- */

unsigned int arch_irq_lock(void) { return locks++; }
void arch_irq_unlock(unsigned int key) {
  demand(locks == key + 1U, "interrupts are unmasked in another order than masked");
  locks = key;
}
/* Steps back now and then, as some drivers do. */
uint32_t k_cycle_get_32(void) {
  static uint32_t now;
  now += 40U;
  return ((now % 1000U) == 0U) ? now - 60U : now;
}
uint32_t sys_clock_hw_cycles_per_sec(void) { return 1000000U; }
bool k_is_in_isr(void) { return depth != 0U; }
uint32_t fake_isr_number(void);
uint32_t fake_isr_number(void) { return numbers[depth]; }

/* ---- Hooks of CONFIG_TRACING_USER ------------------------------------------------------------------- */

void sys_trace_thread_create_user(struct k_thread *thread);
void sys_trace_thread_suspend_user(struct k_thread *thread);
void sys_trace_thread_name_set_user(struct k_thread *thread);
void sys_trace_thread_priority_set_user(struct k_thread *thread, int prio);
void sys_trace_thread_sched_ready_user(struct k_thread *thread);
void sys_trace_idle_user(void);
#if defined(TBAND_ZEPHYR_SWITCHES_HAVE_THREAD)
void sys_trace_thread_switched_in_user(struct k_thread *thread);
void sys_trace_thread_switched_out_user(struct k_thread *thread);
#define SWITCHED(way) sys_trace_thread_switched_##way##_user(fake_cpu.current)
#else
void sys_trace_thread_switched_in_user(void);
void sys_trace_thread_switched_out_user(void);
#define SWITCHED(way) sys_trace_thread_switched_##way##_user()
#endif
#if defined(TBAND_ZEPHYR_ISRS_HAVE_NESTING)
void sys_trace_isr_enter_user(int nested);
void sys_trace_isr_exit_user(int nested);
#define ISR(way) sys_trace_isr_##way##_user((int)depth - 1)
#else
void sys_trace_isr_enter_user(void);
void sys_trace_isr_exit_user(void);
#define ISR(way) sys_trace_isr_##way##_user()
#endif

/* ---- Scheduler -------------------------------------------------------------------------------------- */

static bool is_ready(const struct k_thread *thread) {
  return (thread->base.thread_state & (uint8_t)~_THREAD_QUEUED) == 0U;
}

/* Waits for the turn of a thread, which never comes if it is dead. */
static void wait_for_turn(const struct k_thread *thread, unsigned int life) {
  while ((fake_cpu.current != thread) || (thread->life != life)) {
    (void)pthread_cond_wait(&passed, &baton);
  }
}

static void pass_from(const struct k_thread *thread) {
  (void)pthread_cond_broadcast(&passed);
  wait_for_turn(thread, thread->life);
}

static struct k_thread *next_thread(void) {
  struct k_thread *best = &idle_object;
  if (is_ready(fake_cpu.current)) {
    best = fake_cpu.current;
  }
  for (unsigned int at = 0; at < THREADS; at++) {
    if ((all[at] != NULL) && is_ready(all[at]) && (all[at]->base.prio < best->base.prio)) {
      best = all[at];
    }
  }
  return best;
}

/* As PendSV does. */
static void reschedule(void) {
  if (depth != 0U) {
    return;
  }
  struct k_thread *from = fake_cpu.current;
  const bool was_ready = is_ready(from);
  if (was_ready && (next_thread() == from)) {
    return;
  }
  if (before_switch != NULL) {
    void (*const handler)(void) = before_switch;
    before_switch = NULL;
    fake_interrupt(9, handler, true);
  }
  if (!is_ready(from) && (from->leaves != NULL)) {
    note("%s %p", from->leaves, from->waits_on);
  }
  from->leaves = NULL;
  SWITCHED(out);
  struct k_thread *to = next_thread();
  fake_cpu.current = to;
  if (to != from) {
    note("run %p", (void *)to);
  }
  SWITCHED(in);
  if (to != from) {
    pass_from(from);
  }
}

static void *host_thread(void *argument) {
  struct k_thread *self = argument;
  (void)pthread_mutex_lock(&baton);
  wait_for_turn(self, self->life);
  self->entry();
  k_thread_abort(self);
  return NULL;
}

static void ready(struct k_thread *thread) {
  if (is_ready(thread)) {
    if (thread != fake_cpu.current) {
      note_by_actor("ready", thread, NO_LEVEL);
    }
    sys_trace_thread_sched_ready_user(thread);
  }
}

/* ---- Threads ---------------------------------------------------------------------------------------- */

void k_thread_create(struct k_thread *thread, void (*entry)(void), int priority, const char *name) {
  static unsigned int lives;
  (void)memset(thread, 0, sizeof *thread);
  thread->life = ++lives;
  thread->base.thread_state = _THREAD_PRESTART;
  thread->base.prio = (int8_t)priority;
  thread->entry = entry;
#if defined(CONFIG_THREAD_NAME)
  if (name != NULL) {
    (void)strncpy(thread->name, name, sizeof thread->name - 1U);
  }
#endif
  note("create %p", (void *)thread);
  if (name != NULL) {
    note("name %p %s", (void *)thread, name);
  }
  for (unsigned int at = 0;; at++) {
    demand(at < THREADS, "too many threads");
    if (all[at] == NULL) {
      all[at] = thread;
      break;
    }
  }
  sys_trace_thread_create_user(thread);
  pthread_t host;
  demand(pthread_create(&host, NULL, host_thread, thread) == 0, "no thread of the host");
  (void)pthread_detach(host);
}

void k_thread_start(struct k_thread *thread) {
  thread->base.thread_state &= (uint8_t)~_THREAD_PRESTART;
  ready(thread);
  reschedule();
}

void k_thread_abort(struct k_thread *thread) {
  for (unsigned int at = 0; at < THREADS; at++) {
    if (all[at] == thread) {
      all[at] = NULL;
    }
  }
  thread->base.thread_state |= _THREAD_DEAD;
  note("end %p", (void *)thread);
  sys_port_trace_k_thread_sched_abort(thread);
  reschedule();
}

void k_thread_suspend(struct k_thread *thread) {
  note("suspend %p", (void *)thread);
  sys_trace_thread_suspend_user(thread);
  thread->base.thread_state |= _THREAD_SUSPENDED;
  reschedule();
}

void k_thread_resume(struct k_thread *thread) {
  thread->base.thread_state &= (uint8_t)~_THREAD_SUSPENDED;
  ready(thread);
  reschedule();
}

void k_thread_priority_set(struct k_thread *thread, int priority) {
  thread->base.prio = (int8_t)priority;
  note("priority %p %d", (void *)thread, K_LOWEST_THREAD_PRIO - priority);
  sys_trace_thread_priority_set_user(thread, priority);
  reschedule();
}

void k_thread_name_set(struct k_thread *thread, const char *name) {
#if defined(CONFIG_THREAD_NAME)
  (void)strncpy(thread->name, name, sizeof thread->name - 1U);
#endif
  note("name %p %s", (void *)thread, name);
  sys_trace_thread_name_set_user(thread);
}

struct k_thread *k_current_get(void) { return fake_cpu.current; }

void k_sleep(void) {
  fake_cpu.current->base.thread_state |= _THREAD_SUSPENDED; /* as before Zephyr 4 */
  fake_cpu.current->sleeps = true;
  fake_cpu.current->leaves = "block";
  reschedule();
}

static int wait_on(const void *object, const char *how) {
  struct k_thread *self = fake_cpu.current;
  self->base.thread_state |= _THREAD_PENDING;
  self->waits_on = object;
  self->result = -11; /* a reset */
  self->leaves = how;
  reschedule();
  return self->result;
}

/* The most urgent thread that waits for an object, which waits no more; NULL if there is none. */
static struct k_thread *unpend(const void *object, int result) {
  struct k_thread *best = NULL;
  for (unsigned int at = 0; at < THREADS; at++) {
    if ((all[at] != NULL) && (all[at]->waits_on == object) &&
        ((best == NULL) || (all[at]->base.prio < best->base.prio))) {
      best = all[at];
    }
  }
  if (best != NULL) {
    best->waits_on = NULL;
    best->result = result;
    best->base.thread_state &= (uint8_t)~_THREAD_PENDING;
  }
  return best;
}

/* ---- Objects ---------------------------------------------------------------------------------------- */

void k_sem_init(struct k_sem *sem, unsigned int count, unsigned int limit) {
  sem->count = count;
  sem->limit = limit;
  note("level %p %u", (void *)sem, count);
  sys_port_trace_k_sem_init(sem, 0);
}

void k_sem_give(struct k_sem *sem) {
  note_by_actor("put", sem, (sem->count < sem->limit) ? sem->count + 1U : sem->count);
  sys_port_trace_k_sem_give_enter(sem);
  struct k_thread *waits = unpend(sem, 0);
  if (waits != NULL) {
    ready(waits);
  } else if (sem->count < sem->limit) {
    sem->count++;
  }
  reschedule();
}

int k_sem_take(struct k_sem *sem, bool waits) {
  int result = 0;
  if (sem->count > 0U) {
    sem->count--;
  } else if (!waits) {
    result = -16;
  } else {
    sys_port_trace_k_sem_take_blocking(sem, timeout);
    result = wait_on(sem, "block_on");
  }
  if (result == 0) {
    note("take %p %u", (void *)sem, sem->count);
  }
  sys_port_trace_k_sem_take_exit(sem, timeout, result);
  return result;
}

void k_sem_reset(struct k_sem *sem) {
  for (struct k_thread *waits = unpend(sem, -11); waits != NULL; waits = unpend(sem, -11)) {
    ready(waits);
  }
  sem->count = 0;
  note("level %p 0", (void *)sem);
  sys_port_trace_k_sem_reset(sem);
  reschedule();
}

void k_mutex_lock(struct k_mutex *mutex) {
  if ((mutex->lock_count == 0U) || (mutex->owner == fake_cpu.current)) {
    mutex->lock_count++;
    mutex->owner = fake_cpu.current;
  } else {
    sys_port_trace_k_mutex_lock_blocking(mutex, timeout);
    (void)wait_on(mutex, "block_on");
  }
  if (mutex->lock_count == 1U) {
    note("take %p 0", (void *)mutex);
  }
  sys_port_trace_k_mutex_lock_exit(mutex, timeout, 0);
}

void k_mutex_unlock(struct k_mutex *mutex) {
  if ((mutex->owner == fake_cpu.current) && (mutex->lock_count == 1U)) {
    note("put %p 1", (void *)mutex);
  }
  sys_port_trace_k_mutex_unlock_enter(mutex);
  if (mutex->owner != fake_cpu.current) {
    return;
  }
  if (mutex->lock_count > 1U) {
    mutex->lock_count--;
    return;
  }
  mutex->owner = unpend(mutex, 0);
  if (mutex->owner != NULL) {
    ready(mutex->owner); /* holds it from here on */
    reschedule();
  } else {
    mutex->lock_count = 0;
  }
}

int k_msgq_put(struct k_msgq *msgq, bool waits) {
  int result = 0;
  if (msgq->used_msgs < msgq->max_msgs) {
    struct k_thread *reader = (msgq->used_msgs == 0U) ? unpend(msgq, 0) : NULL;
    msgq->used_msgs += (reader == NULL) ? 1U : 0U;
    note("put %p %u", (void *)msgq, (reader == NULL) ? msgq->used_msgs : 1U);
    sys_port_trace_k_msgq_put_exit(msgq, timeout, 0);
    if (reader != NULL) {
      ready(reader);
      reschedule();
    }
    return 0;
  }
  if (!waits) {
    result = -35;
  } else {
    sys_port_trace_k_msgq_put_blocking(msgq, timeout);
    result = wait_on(msgq, "block_on_put");
    if (result == 0) {
      note("put %p %u", (void *)msgq, msgq->used_msgs);
    }
  }
  sys_port_trace_k_msgq_put_exit(msgq, timeout, result);
  return result;
}

int k_msgq_get(struct k_msgq *msgq, bool waits) {
  int result = 0;
  if (msgq->used_msgs > 0U) {
    struct k_thread *writer = (msgq->used_msgs == msgq->max_msgs) ? unpend(msgq, 0) : NULL;
    if (writer == NULL) {
      msgq->used_msgs--;
    } else {
      sys_port_trace_k_msgq_get_blocking(msgq, timeout); /* although it does not */
      ready(writer);
      reschedule();
    }
  } else if (!waits) {
    result = -35;
  } else {
    sys_port_trace_k_msgq_get_blocking(msgq, timeout);
    result = wait_on(msgq, "block_on");
  }
  if (result == 0) {
    note("take %p %u", (void *)msgq, msgq->used_msgs);
  }
  sys_port_trace_k_msgq_get_exit(msgq, timeout, result);
  return result;
}

void k_msgq_purge(struct k_msgq *msgq) {
  note("level %p 0", (void *)msgq);
  sys_port_trace_k_msgq_purge(msgq);
  for (struct k_thread *waits = unpend(msgq, -35); waits != NULL; waits = unpend(msgq, -35)) {
    ready(waits);
  }
  msgq->used_msgs = 0;
  reschedule();
}

/* ---- Interrupts and the start ----------------------------------------------------------------------- */

void fake_interrupt(uint32_t number, void (*handler)(void), bool is_reported) {
  depth++;
  numbers[depth] = number;
  are_reported[depth] = is_reported;
  if (is_reported) {
    note("isr_enter %u", number);
    ISR(enter);
  }
  handler();
  if (is_reported) {
    note("isr_exit %u", number);
    ISR(exit);
  }
  depth--;
  reschedule();
}

void fake_interrupt_before_switch(void (*handler)(void)) { before_switch = handler; }

static void tick(void) {
  for (unsigned int at = 0; at < THREADS; at++) {
    if ((all[at] != NULL) && all[at]->sleeps) {
      all[at]->sleeps = false;
      all[at]->base.thread_state &= (uint8_t)~_THREAD_SUSPENDED;
      ready(all[at]);
    }
  }
}

static void idle(void) {
  for (;;) {
    sys_trace_idle_user();
    fake_interrupt(TICK_ISR, tick, false);
  }
}

int fake_init(void);
static void start(void) {
  demand(fake_init() == 0, "no start");
  log_file = fopen("log.txt", "w");
  demand(log_file != NULL, "no log");
  main_entry();
}

void fake_close_log(void) {
  (void)fclose(log_file);
  log_file = NULL;
}

void fake_run(void (*main_thread)(void)) {
  main_entry = main_thread;
  dummy.base.thread_state = _THREAD_DUMMY;
  fake_cpu.current = &dummy;
  (void)pthread_mutex_lock(&baton);
  k_thread_create(&main_object, start, 0, "main");
  main_object.base.thread_state = 0;
  ready(&main_object);
  k_thread_create(&idle_object, idle, K_IDLE_PRIO, "idle");
  idle_object.base.thread_state = 0;
  reschedule();
}
