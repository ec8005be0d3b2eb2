/* See FreeRTOS.h. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#include "sdkconfig.h"

#define configUSE_PREEMPTION 1
#define configTICK_RATE_HZ 1000
#define configUSE_TRACE_FACILITY 1
#define configUSE_MUTEXES 1
#define configUSE_TIMERS 0
#define configRECORD_STACK_HIGH_ADDRESS 1
#define configNUM_CORES IMITATION_CORES
#if IMITATION_IDF >= 50200
#define configNUMBER_OF_CORES IMITATION_CORES
#endif
#define INCLUDE_xTaskGetIdleTaskHandle 1
#define INCLUDE_xTaskGetCurrentTaskHandle 1

#if IMITATION_IDF >= 60000
#if defined(IMITATION_HAS_COMPONENT)
#include "esp_trace_freertos_impl.h"
#else
#include "../../../esp-idf/tband/include/esp_trace_freertos_impl.h"
#endif
#elif !defined(IMITATION_HAS_COMPONENT) /* then the component passes -include tband.h */
#include "tband.h"
#endif

#endif
