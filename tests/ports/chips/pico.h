/* What the kernel's port for RP2040 takes of the Pico SDK. */
#ifndef FAKE_PICO_H
#define FAKE_PICO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned int uint;

#define __force_inline inline
#define PICO_SDK_VERSION_MAJOR 2
#define PICO_DIVIDER_DISABLE_INTERRUPTS 1

uint get_core_num(void);

#endif
