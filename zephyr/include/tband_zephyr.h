/* What the module of Zephyr adds to tband.h: names for the kernel's objects, which have none in Zephyr. */
#ifndef TBAND_ZEPHYR_H
#define TBAND_ZEPHYR_H

#include <zephyr/kernel.h>

#include "tband.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(CONFIG_TBAND_OBJECTS)
/** Names a semaphore; without a name it is called "semaphore" with its address. After its k_sem_init(). Context: any
 * that may record. */
void tband_zephyr_name_sem(struct k_sem *sem, const char *name);
/** Names a mutex. After its k_mutex_init(). Context: any that may record. */
void tband_zephyr_name_mutex(struct k_mutex *mutex, const char *name);
/** Names a message queue. After its k_msgq_init(). Context: any that may record. */
void tband_zephyr_name_msgq(struct k_msgq *msgq, const char *name);
#else
#define tband_zephyr_name_sem(sem, name) ((void)(sem), (void)(name))
#define tband_zephyr_name_mutex(mutex, name) ((void)(mutex), (void)(name))
#define tband_zephyr_name_msgq(msgq, name) ((void)(msgq), (void)(name))
#endif

#ifdef __cplusplus
}
#endif

#endif /* TBAND_ZEPHYR_H */
