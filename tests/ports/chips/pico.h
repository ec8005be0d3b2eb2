/* What the kernel's port for RP2040 takes of the Pico SDK. */
#ifndef FAKE_PICO_H
#define FAKE_PICO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned int uint;

#define __force_inline inline
#define PICO_SDK_VERSION_MAJOR 2
#ifdef __ARM_ARCH_6M__
#define PICO_RP2040 1
#else
#define PICO_RP2350 1
#endif
#define PICO_DIVIDER_DISABLE_INTERRUPTS 1

uint get_core_num(void);

#endif
