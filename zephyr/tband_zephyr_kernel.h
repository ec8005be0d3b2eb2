/* Included before each of the kernel's sources: replaces some of Zephyr's tracing macros, which the hooks of
 * CONFIG_TRACING_USER do not have in each version. Zephyr's source documents when each is called. */
#ifndef TBAND_ZEPHYR_KERNEL_H
#define TBAND_ZEPHYR_KERNEL_H

#include <zephyr/kernel.h>
#include <zephyr/tracing/tracing.h>

#ifdef __cplusplus
extern "C" {
#endif

void tband_zephyr_thread_ends(const struct k_thread *thread);
void tband_zephyr_sem_is(const struct k_sem *sem);
void tband_zephyr_sem_gives(const struct k_sem *sem);
void tband_zephyr_sem_blocks(const struct k_sem *sem);
void tband_zephyr_sem_took(const struct k_sem *sem, int failed);
void tband_zephyr_mutex_is(const struct k_mutex *mutex);
void tband_zephyr_mutex_blocks(const struct k_mutex *mutex);
void tband_zephyr_mutex_locked(const struct k_mutex *mutex, int failed);
void tband_zephyr_mutex_unlocks(const struct k_mutex *mutex);
void tband_zephyr_msgq_is(const struct k_msgq *msgq);
void tband_zephyr_msgq_empties(const struct k_msgq *msgq);
void tband_zephyr_msgq_blocks(const struct k_msgq *msgq, bool is_put);
void tband_zephyr_msgq_put(const struct k_msgq *msgq, int failed);
void tband_zephyr_msgq_got(const struct k_msgq *msgq, int failed);

#ifdef __cplusplus
}
#endif

#undef sys_port_trace_k_thread_sched_abort
#define sys_port_trace_k_thread_sched_abort(thread) tband_zephyr_thread_ends(thread)

#undef sys_port_trace_k_sem_init
#undef sys_port_trace_k_sem_reset
#undef sys_port_trace_k_sem_give_enter
#undef sys_port_trace_k_sem_take_blocking
#undef sys_port_trace_k_sem_take_exit
#define sys_port_trace_k_sem_init(sem, ret) tband_zephyr_sem_is(sem)
#define sys_port_trace_k_sem_reset(sem) tband_zephyr_sem_is(sem)
#define sys_port_trace_k_sem_give_enter(sem) tband_zephyr_sem_gives(sem)
#define sys_port_trace_k_sem_take_blocking(sem, timeout) tband_zephyr_sem_blocks(sem)
#define sys_port_trace_k_sem_take_exit(sem, timeout, ret) tband_zephyr_sem_took(sem, ret)

#undef sys_port_trace_k_mutex_init
#undef sys_port_trace_k_mutex_lock_blocking
#undef sys_port_trace_k_mutex_lock_exit
#undef sys_port_trace_k_mutex_unlock_enter
#define sys_port_trace_k_mutex_init(mutex, ret) tband_zephyr_mutex_is(mutex)
#define sys_port_trace_k_mutex_lock_blocking(mutex, timeout) tband_zephyr_mutex_blocks(mutex)
#define sys_port_trace_k_mutex_lock_exit(mutex, timeout, ret) tband_zephyr_mutex_locked(mutex, ret)
#define sys_port_trace_k_mutex_unlock_enter(mutex) tband_zephyr_mutex_unlocks(mutex)

#undef sys_port_trace_k_msgq_init
#undef sys_port_trace_k_msgq_purge
#undef sys_port_trace_k_msgq_put_blocking
#undef sys_port_trace_k_msgq_put_exit
#undef sys_port_trace_k_msgq_put_front_blocking
#undef sys_port_trace_k_msgq_put_front_exit
#undef sys_port_trace_k_msgq_get_blocking
#undef sys_port_trace_k_msgq_get_exit
#define sys_port_trace_k_msgq_init(msgq) tband_zephyr_msgq_is(msgq)
#define sys_port_trace_k_msgq_purge(msgq) tband_zephyr_msgq_empties(msgq)
#define sys_port_trace_k_msgq_put_blocking(msgq, timeout) tband_zephyr_msgq_blocks(msgq, true)
#define sys_port_trace_k_msgq_put_exit(msgq, timeout, ret) tband_zephyr_msgq_put(msgq, ret)
#define sys_port_trace_k_msgq_put_front_blocking(msgq, timeout) tband_zephyr_msgq_blocks(msgq, true)
#define sys_port_trace_k_msgq_put_front_exit(msgq, timeout, ret) tband_zephyr_msgq_put(msgq, ret)
#define sys_port_trace_k_msgq_get_blocking(msgq, timeout) tband_zephyr_msgq_blocks(msgq, false)
#define sys_port_trace_k_msgq_get_exit(msgq, timeout, ret) tband_zephyr_msgq_got(msgq, ret)

#endif /* TBAND_ZEPHYR_KERNEL_H */
