/* Threads and interrupts of Zephyr, recorded by the hooks of CONFIG_TRACING_USER. For one core. */
#include <zephyr/kernel.h>
#include <zephyr/kernel_structs.h>

#include "tband.h"
#include "tband_port.h"
#include "tband_scheduler.h"
#include "tband_zephyr_kernel.h"
#include "tband_zephyr_numbers.h"
#include "tband_zephyr_parts.h"

/* Nested interrupts whose numbers are kept; deeper ones ask for their number again when they end. */
#define MAX_DEPTH 16U
/* The number that all further threads share. */
#define OTHER_THREADS (CONFIG_TBAND_MAX_THREADS + 1U)

static const void *places[CONFIG_TBAND_MAX_THREADS];
static const tband_zephyr_numbers threads = { places, CONFIG_TBAND_MAX_THREADS };

/* The thread that runs according to the recording, and the reason for which it will leave the core, if known. */
static struct {
  const struct k_thread *thread; /* NULL: the kernel has not started, or the thread has ended */
  bool has_left; /* its wait is recorded, and another thread is not yet */
  bool suspends;
  bool waits_for_space;
  uint32_t waits_for; /* an object; 0: unknown */
} running;

static struct {
  uint32_t depth;
  uint32_t numbers[MAX_DEPTH];
} isrs;

/* ---- Interrupts ------------------------------------------------------------------------------------- */

/* The number that devicetree has for the running interrupt, and CMSIS: SysTick is -1. A tband_port.h can define
 * TBAND_ZEPHYR_ISR_NUMBER() for other architectures, where all interrupts have the number 0. */
static uint32_t running_isr(void) {
#if defined(TBAND_ZEPHYR_ISR_NUMBER)
  return TBAND_ZEPHYR_ISR_NUMBER();
#elif defined(CONFIG_CPU_CORTEX_M)
  uint32_t exception;
  __asm volatile("mrs %0, ipsr" : "=r"(exception));
  return exception - 16U;
#elif defined(CONFIG_RISCV)
  unsigned long cause;
  __asm volatile("csrr %0, mcause" : "=r"(cause));
  return (uint32_t)cause & 0xFFFU; /* the other bits are the mode's, and those of the interrupt controller CLIC */
#else
  return 0;
#endif
}

static uint32_t last_isr(void) {
  const uint32_t last = isrs.depth - 1U;
  return (last < MAX_DEPTH) ? isrs.numbers[last] : running_isr();
}

static void isr_begins(void) {
  const unsigned int key = arch_irq_lock();
  const uint32_t number = running_isr();
  if (isrs.depth < MAX_DEPTH) {
    isrs.numbers[isrs.depth] = number;
  }
  isrs.depth++;
  tband_isr_enter(number);
  arch_irq_unlock(key);
}

static void isr_ends(void) {
  const unsigned int key = arch_irq_lock();
  if (isrs.depth != 0U) {
    tband_isr_exit(last_isr());
    isrs.depth--;
  }
  arch_irq_unlock(key);
}

tband_zephyr_unreported tband_zephyr_begin_unreported(void) {
  tband_zephyr_unreported isr = { false, 0 };
  if (k_is_in_isr()) {
    isr.number = running_isr();
    /* Where the number is unknown, an interrupt in a reported one counts as that. */
    isr.is_open = (isrs.depth == 0U) || (last_isr() != isr.number);
    if (isr.is_open) {
      tband_isr_enter(isr.number);
    }
  }
  return isr;
}

void tband_zephyr_end_unreported(tband_zephyr_unreported isr) {
  if (isr.is_open) {
    tband_isr_exit(isr.number);
  }
}

#if defined(TBAND_ZEPHYR_ISRS_HAVE_NESTING)
void sys_trace_isr_enter_user(int nested);
void sys_trace_isr_exit_user(int nested);
void sys_trace_isr_enter_user(int nested) {
  (void)nested;
  isr_begins();
}
void sys_trace_isr_exit_user(int nested) {
  (void)nested;
  isr_ends();
}
#else
void sys_trace_isr_enter_user(void);
void sys_trace_isr_exit_user(void);
void sys_trace_isr_enter_user(void) { isr_begins(); }
void sys_trace_isr_exit_user(void) { isr_ends(); }
#endif

/* ---- Threads ---------------------------------------------------------------------------------------- */

/* In Zephyr a small number is urgent, and the idle thread has the largest. */
static uint32_t priority_of(int priority) { return (uint32_t)(K_LOWEST_THREAD_PRIO - priority); }

/* NULL: it has no name yet. The place is for a name with the thread's address, which threads have where they can get
 * none. */
static const char *name_of(const struct k_thread *thread, char place[TBAND_ZEPHYR_NAME_LEN]) {
#if defined(CONFIG_THREAD_NAME)
  (void)place;
  return (thread->name[0] != '\0') ? thread->name : NULL;
#else
  return tband_zephyr_name_with_address(place, "thread", thread);
#endif
}

static void create(uint32_t number, const struct k_thread *thread) {
  char place[TBAND_ZEPHYR_NAME_LEN];
  tband_task_create(number, name_of(thread, place), priority_of(thread->base.prio));
  if (thread->base.prio == K_IDLE_PRIO) { /* the kernel refuses this priority to others */
    tband_task_is_idle(number, 0);
  }
}

static uint32_t number_of(const struct k_thread *thread) {
  static bool has_others;
  uint32_t number = tband_zephyr_find(&threads, thread);
  if (number == 0U) {
    number = tband_zephyr_add(&threads, thread);
    if (number != 0U) {
      create(number, thread);
    } else {
      number = OTHER_THREADS;
      if (!has_others) {
        has_others = true;
        tband_task_create(number, "other threads", 0);
      }
    }
  }
  return number;
}

/* The running thread leaves the recording with the next switch. */
static void end(const struct k_thread *thread) {
  const uint32_t number = tband_zephyr_find(&threads, thread);
  if (number != 0U) {
    tband_task_end(number);
    tband_zephyr_free(&threads, number);
  }
  if (thread == running.thread) {
    running.thread = NULL;
  }
}

void tband_zephyr_thread_ends(const struct k_thread *thread) {
  const unsigned int key = arch_irq_lock();
  end(thread);
  arch_irq_unlock(key);
}

void tband_zephyr_waits_for(uint32_t object, bool is_put) {
  running.waits_for = object;
  running.waits_for_space = is_put;
}

static void switched_out(const struct k_thread *thread) {
  const unsigned int key = arch_irq_lock();
  /* Before the kernel's start, and after an end in an interrupt, the kernel switches away from a dummy. */
  if (thread == running.thread) {
    /* A thread that is not ready has the reason in its state, whichever way it waits. */
    const uint32_t state = (uint32_t)thread->base.thread_state & ~(uint32_t)_THREAD_QUEUED;
    if ((state & _THREAD_DEAD) != 0U) {
      end(thread);
    } else if (state != 0U) {
      running.has_left = true;
      if (running.suspends) {
        tband_task_suspend(number_of(thread));
      } else if (running.waits_for == 0U) {
        tband_task_block();
      } else if (running.waits_for_space) {
        tband_task_block_on_put(running.waits_for);
      } else {
        tband_task_block_on(running.waits_for);
      }
    }
  }
  running.suspends = false;
  running.waits_for = 0;
  arch_irq_unlock(key);
}

static void switched_in(const struct k_thread *thread) {
  const unsigned int key = arch_irq_lock();
  /* A thread that was woken before it had left continues. */
  if ((thread != running.thread) || running.has_left) {
    running.thread = thread;
    running.has_left = false;
    tband_task_run(number_of(thread));
  }
  arch_irq_unlock(key);
}

#if defined(TBAND_ZEPHYR_SWITCHES_HAVE_THREAD)
void sys_trace_thread_switched_out_user(struct k_thread *thread);
void sys_trace_thread_switched_in_user(struct k_thread *thread);
void sys_trace_thread_switched_out_user(struct k_thread *thread) { switched_out(thread); }
void sys_trace_thread_switched_in_user(struct k_thread *thread) { switched_in(thread); }
#else
void sys_trace_thread_switched_out_user(void);
void sys_trace_thread_switched_in_user(void);
/* k_current_get() may read the thread's own storage, which is not switched yet. */
void sys_trace_thread_switched_out_user(void) { switched_out(_current_cpu->current); }
void sys_trace_thread_switched_in_user(void) { switched_in(_current_cpu->current); }
#endif

void sys_trace_thread_create_user(struct k_thread *thread);
void sys_trace_thread_create_user(struct k_thread *thread) {
  const unsigned int key = arch_irq_lock();
  end(thread); /* one that ended without a hook, and whose memory is used again */
  (void)number_of(thread);
  arch_irq_unlock(key);
}

void sys_trace_thread_abort_user(struct k_thread *thread);
void sys_trace_thread_abort_user(struct k_thread *thread) { tband_zephyr_thread_ends(thread); }

void sys_trace_thread_name_set_user(struct k_thread *thread);
void sys_trace_thread_name_set_user(struct k_thread *thread) {
  char place[TBAND_ZEPHYR_NAME_LEN];
  const unsigned int key = arch_irq_lock();
  const uint32_t number = tband_zephyr_find(&threads, thread);
  const char *name = name_of(thread, place);
  if ((number != 0U) && (name != NULL)) {
    tband_task_name(number, name);
  }
  arch_irq_unlock(key);
}

void sys_trace_thread_priority_set_user(struct k_thread *thread, int prio);
void sys_trace_thread_priority_set_user(struct k_thread *thread, int prio) {
  const unsigned int key = arch_irq_lock();
  const uint32_t number = tband_zephyr_find(&threads, thread);
  if (number != 0U) {
    tband_task_set_priority(number, priority_of(prio));
  }
  arch_irq_unlock(key);
}

void sys_trace_thread_sched_ready_user(struct k_thread *thread);
void sys_trace_thread_sched_ready_user(struct k_thread *thread) {
  const unsigned int key = arch_irq_lock();
  if ((thread != running.thread) || running.has_left) {
    const uint32_t number = number_of(thread);
    const tband_zephyr_unreported isr = tband_zephyr_begin_unreported();
    tband_task_ready(number);
    tband_zephyr_end_unreported(isr);
  }
  arch_irq_unlock(key);
}

void sys_trace_thread_suspend_user(struct k_thread *thread);
void sys_trace_thread_suspend_user(struct k_thread *thread) {
  const unsigned int key = arch_irq_lock();
  if (thread == running.thread) {
    running.suspends = true;
  } else {
    tband_task_suspend(number_of(thread));
  }
  arch_irq_unlock(key);
}

void sys_trace_idle_user(void);
void sys_trace_idle_user(void) { tband_keep_time(); }
