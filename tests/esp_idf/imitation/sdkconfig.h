/* Written by menuconfig: see FreeRTOS.h. */
#ifndef SDKCONFIG_H
#define SDKCONFIG_H

/* The tests put all settings into tband_config.h. */
#include "tband_config.h"

#if IMITATION_CORES == 1
#define CONFIG_FREERTOS_UNICORE 1
#endif
#if IMITATION_IDF >= 50200
#define CONFIG_FREERTOS_NUMBER_OF_CORES IMITATION_CORES
#endif
#if IMITATION_IDF >= 60000
#define CONFIG_ESP_TRACE_LIB_EXTERNAL 1
#endif

#endif
