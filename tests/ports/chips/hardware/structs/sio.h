/* The SIO of RP2040, as far as it is used: RP2040 Datasheet, 2.3.1. */
#ifndef FAKE_HARDWARE_SIO_H
#define FAKE_HARDWARE_SIO_H

#include <stdint.h>

typedef struct {
  const volatile uint32_t cpuid;
} sio_hw_t;

extern sio_hw_t *const fake_sio;
#define sio_hw fake_sio

#endif
