/* The names of Zephyr that the module uses, of a kernel whose threads are threads of the host that run one at a time
 * (fake_kernel.c). Declarations of our own; they state what the module relies on. */
#ifndef FAKE_ZEPHYR_KERNEL_H
#define FAKE_ZEPHYR_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define K_LOWEST_THREAD_PRIO 15
#define K_IDLE_PRIO K_LOWEST_THREAD_PRIO
#define K_NO_WAIT false
#define K_FOREVER true

struct k_thread {
  struct {
    uint8_t thread_state;
    int8_t prio;
  } base;
#if defined(CONFIG_THREAD_NAME)
  char name[32];
#endif
  /* of the fake */
  void (*entry)(void);
  const void *waits_on;
  int result;
  const char *leaves; /* the step of the log when it leaves */
  bool sleeps;
  unsigned int life; /* which of the threads that had this memory */
};

struct k_sem {
  unsigned int count, limit;
};
struct k_mutex {
  struct k_thread *owner;
  uint32_t lock_count;
};
struct k_msgq {
  uint32_t used_msgs, max_msgs;
};

unsigned int arch_irq_lock(void);
void arch_irq_unlock(unsigned int key);
uint32_t k_cycle_get_32(void);
uint32_t sys_clock_hw_cycles_per_sec(void);
bool k_is_in_isr(void);

void k_thread_create(struct k_thread *thread, void (*entry)(void), int priority, const char *name);
void k_thread_start(struct k_thread *thread);
void k_thread_abort(struct k_thread *thread);
void k_thread_suspend(struct k_thread *thread);
void k_thread_resume(struct k_thread *thread);
void k_thread_priority_set(struct k_thread *thread, int priority);
void k_thread_name_set(struct k_thread *thread, const char *name);
struct k_thread *k_current_get(void);
/* Until the next tick. */
void k_sleep(void);
void k_sem_init(struct k_sem *sem, unsigned int count, unsigned int limit);
void k_sem_give(struct k_sem *sem);
int k_sem_take(struct k_sem *sem, bool waits);
void k_sem_reset(struct k_sem *sem);
void k_mutex_lock(struct k_mutex *mutex);
void k_mutex_unlock(struct k_mutex *mutex);
int k_msgq_put(struct k_msgq *msgq, bool waits);
int k_msgq_get(struct k_msgq *msgq, bool waits);
void k_msgq_purge(struct k_msgq *msgq);

#endif
