/* The SDK's spin locks, as far as they are used. */
#ifndef FAKE_HARDWARE_SYNC_H
#define FAKE_HARDWARE_SYNC_H

#include "pico.h"

#define PICO_SPINLOCK_ID_OS1 14
#define PICO_SPINLOCK_ID_OS2 15

typedef volatile uint32_t spin_lock_t;

void spin_lock_claim(uint number);

spin_lock_t *spin_lock_instance(uint number);
void spin_lock_unsafe_blocking(spin_lock_t *lock);
bool spin_try_lock_unsafe(spin_lock_t *lock);
void spin_unlock_unsafe(spin_lock_t *lock);

#endif
