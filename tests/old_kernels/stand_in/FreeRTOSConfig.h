/* Configuration of the mock kernel: the macros that the hooks read. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configUSE_PREEMPTION 1
#define configTICK_RATE_HZ 1000
#define configUSE_TRACE_FACILITY 1
#define configUSE_MUTEXES 1
#define configUSE_TIMERS 1
#define configRECORD_STACK_HIGH_ADDRESS 0
#define INCLUDE_xTaskGetIdleTaskHandle 1
#define INCLUDE_xTaskGetCurrentTaskHandle 1

#include "tband.h"

#endif
