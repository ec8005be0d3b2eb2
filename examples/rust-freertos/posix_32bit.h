/*
 * Makes the kernel's base types 32 bits wide on the POSIX port, where they are long.
 *
 * The crate freertos-rust is written for 32-bit processors: it takes BaseType_t, UBaseType_t and
 * TickType_t for 32 bits, and passes pointers to such variables. The build script includes this file
 * before every C file. It lets the port's own header define its types under other names; the
 * functions whose prototypes have such types are declared again after it. With a port for a
 * microcontroller leave this file out.
 */
#ifndef POSIX_32BIT_H
#define POSIX_32BIT_H

#include <stdint.h>

#define BaseType_t             posix_BaseType_t
#define UBaseType_t            posix_UBaseType_t
#define TickType_t             posix_TickType_t
#define xPortSetInterruptMask  posix_xPortSetInterruptMask
#define vPortClearInterruptMask posix_vPortClearInterruptMask
#define vPortThreadDying       posix_vPortThreadDying
#include "portmacro.h"
#undef BaseType_t
#undef UBaseType_t
#undef TickType_t
#undef xPortSetInterruptMask
#undef vPortClearInterruptMask
#undef vPortThreadDying

typedef int32_t BaseType_t;
typedef uint32_t UBaseType_t;
typedef uint32_t TickType_t;

UBaseType_t xPortSetInterruptMask(void);
void vPortClearInterruptMask(UBaseType_t mask);
void vPortThreadDying(void *task, volatile BaseType_t *pend_yield);

#undef portMAX_DELAY
#define portMAX_DELAY ((TickType_t)UINT32_MAX)

#endif /* POSIX_32BIT_H */
