/* Semaphores, mutexes and message queues of Zephyr. Their first use creates them in the recording, since many are
 * defined statically. */
#include <zephyr/kernel.h>
#include <zephyr/kernel_structs.h>

#include "tband_scheduler.h"
#include "tband_zephyr.h"
#include "tband_zephyr_kernel.h"
#include "tband_zephyr_numbers.h"
#include "tband_zephyr_parts.h"

static const void *places[CONFIG_TBAND_MAX_OBJECTS];
static const tband_zephyr_numbers objects = { places, CONFIG_TBAND_MAX_OBJECTS };
static uint8_t kinds[CONFIG_TBAND_MAX_OBJECTS];

/* Kind, name and level of an object, for the event that creates it. */
typedef struct description {
  uint32_t kind;
  const char *what;
  uint32_t level;
} description;

static description of_sem(const struct k_sem *sem) {
  const uint32_t kind = (sem->limit == 1U) ? TBAND_QUEUE_KIND_BINARY_SEMAPHORE : TBAND_QUEUE_KIND_COUNTING_SEMAPHORE;
  return (description){ kind, "semaphore", sem->count };
}

static description of_mutex(const struct k_mutex *mutex) {
  return (description){ TBAND_QUEUE_KIND_MUTEX, "mutex", (mutex->lock_count == 0U) ? 1U : 0U };
}

static description of_msgq(const struct k_msgq *msgq) {
  return (description){ TBAND_QUEUE_KIND_QUEUE, "queue", msgq->used_msgs };
}

/* Returns an object's number; 0 if the table is full. Memory may be used for another kind of object. */
static uint32_t number_of(const void *object, description is, const char *name) {
  char with_address[TBAND_ZEPHYR_NAME_LEN];
  uint32_t number = tband_zephyr_find(&objects, object);
  if ((number != 0U) && (kinds[number - 1U] == is.kind)) {
    if (name != NULL) {
      TBAND_SCHEDULES(TBAND_RECORD_META_U32_STR(QUEUE_NAME, number, name));
    }
    return number;
  }
  if (number == 0U) {
    number = tband_zephyr_add(&objects, object);
  }
  if (number != 0U) {
    kinds[number - 1U] = (uint8_t)is.kind;
    const char *known = (name != NULL) ? name : tband_zephyr_name_with_address(with_address, is.what, object);
    tband_object_create(number, is.kind, known, is.level);
  }
  return number;
}

static void is(const void *object, description is) {
  const unsigned int key = arch_irq_lock();
  const uint32_t number = number_of(object, is, NULL);
  if (number != 0U) {
    TBAND_SCHEDULES(TBAND_RECORD_U32_U32(QUEUE_CUR_LENGTH, number, is.level));
  }
  arch_irq_unlock(key);
}

static void puts_into(const void *object, description is, uint32_t level) {
  const unsigned int key = arch_irq_lock();
  const uint32_t number = number_of(object, is, NULL);
  if (number != 0U) {
    const tband_zephyr_unreported isr = tband_zephyr_begin_unreported();
    tband_object_put(number, level);
    tband_zephyr_end_unreported(isr);
  }
  arch_irq_unlock(key);
}

static void takes_from(const void *object, description is, uint32_t level) {
  const unsigned int key = arch_irq_lock();
  const uint32_t number = number_of(object, is, NULL);
  if (number != 0U) {
    const tband_zephyr_unreported isr = tband_zephyr_begin_unreported();
    tband_object_take(number, level);
    tband_zephyr_end_unreported(isr);
  }
  arch_irq_unlock(key);
}

static void blocks(const void *object, description is, bool is_put) {
  const unsigned int key = arch_irq_lock();
  tband_zephyr_waits_for(number_of(object, is, NULL), is_put);
  arch_irq_unlock(key);
}

/* Some calls tell that they block and do not, after all. */
static void does_not_block(void) {
  const unsigned int key = arch_irq_lock();
  if (!k_is_in_isr()) {
    tband_zephyr_waits_for(0, false);
  }
  arch_irq_unlock(key);
}

static void name_it(const void *object, description is, const char *name) {
  const unsigned int key = arch_irq_lock();
  (void)number_of(object, is, name);
  arch_irq_unlock(key);
}

/* ---- Semaphores ------------------------------------------------------------------------------------- */

void tband_zephyr_sem_is(const struct k_sem *sem) { is(sem, of_sem(sem)); }

/* A thread that waits gets it directly, and the count stays 0; it takes it when it runs. */
void tband_zephyr_sem_gives(const struct k_sem *sem) {
  puts_into(sem, of_sem(sem), (sem->count < sem->limit) ? sem->count + 1U : sem->count);
}

void tband_zephyr_sem_blocks(const struct k_sem *sem) { blocks(sem, of_sem(sem), false); }

void tband_zephyr_sem_took(const struct k_sem *sem, int failed) {
  does_not_block();
  if (failed == 0) {
    takes_from(sem, of_sem(sem), sem->count);
  }
}

void tband_zephyr_name_sem(struct k_sem *sem, const char *name) { name_it(sem, of_sem(sem), name); }

/* ---- Mutexes ---------------------------------------------------------------------------------------- */

void tband_zephyr_mutex_is(const struct k_mutex *mutex) { is(mutex, of_mutex(mutex)); }

void tband_zephyr_mutex_blocks(const struct k_mutex *mutex) { blocks(mutex, of_mutex(mutex), false); }

/* Only the outermost of nested locks. */
void tband_zephyr_mutex_locked(const struct k_mutex *mutex, int failed) {
  does_not_block();
  if ((failed == 0) && (mutex->lock_count == 1U)) {
    takes_from(mutex, of_mutex(mutex), 0);
  }
}

/* Called before the kernel tests who the owner is. */
void tband_zephyr_mutex_unlocks(const struct k_mutex *mutex) {
  if ((mutex->owner == _current_cpu->current) && (mutex->lock_count == 1U)) {
    puts_into(mutex, of_mutex(mutex), 1);
  }
}

void tband_zephyr_name_mutex(struct k_mutex *mutex, const char *name) { name_it(mutex, of_mutex(mutex), name); }

/* ---- Message queues --------------------------------------------------------------------------------- */

void tband_zephyr_msgq_is(const struct k_msgq *msgq) { is(msgq, of_msgq(msgq)); }

void tband_zephyr_msgq_empties(const struct k_msgq *msgq) {
  description empty = of_msgq(msgq);
  empty.level = 0;
  is(msgq, empty);
}

void tband_zephyr_msgq_blocks(const struct k_msgq *msgq, bool is_put) { blocks(msgq, of_msgq(msgq), is_put); }

/* A thread that waits gets the message directly, and the queue stays empty; it takes it when it runs. */
void tband_zephyr_msgq_put(const struct k_msgq *msgq, int failed) {
  does_not_block();
  if (failed == 0) {
    puts_into(msgq, of_msgq(msgq), (msgq->used_msgs != 0U) ? msgq->used_msgs : 1U);
  }
}

void tband_zephyr_msgq_got(const struct k_msgq *msgq, int failed) {
  does_not_block();
  if (failed == 0) {
    takes_from(msgq, of_msgq(msgq), msgq->used_msgs);
  }
}

void tband_zephyr_name_msgq(struct k_msgq *msgq, const char *name) { name_it(msgq, of_msgq(msgq), name); }
