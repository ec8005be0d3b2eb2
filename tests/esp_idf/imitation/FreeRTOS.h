/* An imitation of the kernel of ESP-IDF: only the parts that the hooks see.
 *
 * It states the facts that hooks depend on, without a line of ESP-IDF: which macro is in which function, its arguments,
 * and the parameters, local variables and fields in scope. IMITATION_IDF, from tband_config.h, is ESP-IDF's version,
 * IMITATION_CORES the number of cores. Missing hooks do not compile: this file has no empty definitions for those of
 * the classes that are on. */
#ifndef INC_FREERTOS_H
#define INC_FREERTOS_H

#include <stddef.h>
#include <stdint.h>

#include "FreeRTOSConfig.h"

#define PROJDEFS_H
#define INCLUDE_vTaskSuspend 1

typedef int BaseType_t;
typedef unsigned int UBaseType_t;
typedef uint32_t TickType_t;
typedef uint32_t StackType_t;
#define portMAX_DELAY ((TickType_t)-1)
#define portSTACK_GROWTH (-1)
#define pdFALSE ((BaseType_t)0)
#define pdTRUE ((BaseType_t)1)
#define pdFAIL (pdFALSE)
#define pdPASS (pdTRUE)

/* portmacro.h: the memory of a coprocessor's registers, not memory protection. */
#define portUSING_MPU_WRAPPERS 1
BaseType_t xPortGetCoreID(void);
#if IMITATION_CORES > 1
#define portGET_CORE_ID() xPortGetCoreID()
#else
#define portGET_CORE_ID() ((BaseType_t)0);
#endif
void imitation_ask_for_switch(void);
#define portYIELD_FROM_ISR()        \
  do {                              \
    traceISR_EXIT_TO_SCHEDULER();   \
    imitation_ask_for_switch();     \
  } while (0)

/* With the classes of interrupts and stacks off. */
#ifndef traceTASK_SWITCHED_OUT
#define traceTASK_SWITCHED_OUT()
#define IMITATION_MEASURES_NO_STACK 1
#endif
#ifndef traceISR_ENTER
#define traceISR_ENTER(_n_) (void)(_n_)
#endif
#ifndef traceISR_EXIT
#define traceISR_EXIT()
#endif
#ifndef traceISR_EXIT_TO_SCHEDULER
#define traceISR_EXIT_TO_SCHEDULER()
#endif

#endif
