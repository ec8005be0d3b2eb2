#ifndef FAKE_ZEPHYR_KERNEL_STRUCTS_H
#define FAKE_ZEPHYR_KERNEL_STRUCTS_H

#include <zephyr/kernel.h>

/* Those of newer versions of Zephyr have other numbers; a thread that is ready has no bit but the last. */
#define _THREAD_DUMMY (1U << 0)
#define _THREAD_PENDING (1U << 1)
#define _THREAD_PRESTART (1U << 2)
#define _THREAD_DEAD (1U << 3)
#define _THREAD_SUSPENDED (1U << 4)
#define _THREAD_QUEUED (1U << 7)

struct fake_cpu {
  struct k_thread *current;
};
extern struct fake_cpu fake_cpu;
#define _current_cpu (&fake_cpu)

#endif
