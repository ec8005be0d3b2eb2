/* A mock of the headers of a FreeRTOS kernel before V11: only the parts that the hooks see.
 *
 * Real ones from V10.3 on cannot be had from a package registry (older ones can: ../real.rs), and this
 * repository holds no copy. So these files state the facts that hooks depend on: which macro is in which
 * function, its arguments, and the parameters, local variables and fields in scope. Order and names are the
 * kernel's; the bodies only provide the data that the macros read. STAND_IN_KERNEL, from tband_config.h,
 * chooses the version: V10.3 has one notification a task, and traceQUEUE_SEND for queue sets.
 * A kernel's FreeRTOS.h has empty definitions of the macros and this one has none: a missing hook does not
 * compile. tasks.c and queue.c do have them, because tests may use the two basic classes only. */
#ifndef INC_FREERTOS_H
#define INC_FREERTOS_H

#include <stddef.h>
#include <stdint.h>

/* In V10.6 and V11, before the configuration. */
#include "tband_config.h"
#if STAND_IN_KERNEL >= 100600
#define TICK_TYPE_WIDTH_16_BITS 0
#endif
#include "FreeRTOSConfig.h"

#ifndef INCLUDE_vTaskSuspend
#define INCLUDE_vTaskSuspend 1
#endif

#define STAND_IN_IS_V10_4 (STAND_IN_KERNEL >= 100400)

typedef long BaseType_t;
typedef unsigned long UBaseType_t;
#ifdef STAND_IN_TICK_TYPE
typedef STAND_IN_TICK_TYPE TickType_t;
#else
typedef uint32_t TickType_t;
#endif
#define portMAX_DELAY ((TickType_t)-1)
typedef uintptr_t StackType_t;

#define pdFALSE ((BaseType_t)0)
#define pdTRUE ((BaseType_t)1)
#define pdFAIL (pdFALSE)
#define pdPASS (pdTRUE)
#define portSTACK_GROWTH (-1)

#ifdef STAND_IN_HAS_EMPTY_MACROS
#include "empty_macros.h"
#endif

/* portable.h */
size_t xPortGetFreeHeapSize(void);
void *pvPortMalloc(size_t xWantedSize);
void vPortFree(void *pv);

#endif
