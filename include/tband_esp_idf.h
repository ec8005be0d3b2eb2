/* ESP-IDF, whose kernels are derived from FreeRTOS: version and number of cores, from the configuration of its build.
 *
 * Its own kernel is V10 with two cores: `pxCurrentTCBs` has an entry for each core, and a few trace macros exist there
 * only. With CONFIG_FREERTOS_SMP the kernel is FreeRTOS V11 with the macros of that version. Both define
 * configNUM_CORES.
 *
 * FreeRTOSConfig.h, or the compiler's option -include, reads this before the kernel defines anything. Included by
 * tband_config_defaults.h. */
#ifndef TBAND_CONFIG_DEFAULTS_H
#include "tband.h" /* this header was included directly */
#endif

#ifndef TBAND_ESP_IDF_H
#define TBAND_ESP_IDF_H

/* Every build of ESP-IDF defines it, and so does the core of Arduino for ESP32. */
#if defined(ESP_PLATFORM)
#define TBAND_IS_ESP_IDF 1

#include "esp_idf_version.h"
#include "sdkconfig.h"

/* Its macros have other arguments. */
#if ESP_IDF_VERSION < ESP_IDF_VERSION_VAL(5, 1, 0)
#define TBAND_ESP_IDF_IS_OLD 1
#else
#define TBAND_ESP_IDF_IS_OLD 0
#endif

#if defined(CONFIG_FREERTOS_SMP)
#define TBAND_KERNEL_IS_OF_ESP_IDF 0
#else
#define TBAND_KERNEL_IS_OF_ESP_IDF 1
#endif

/* CMake finds no task.h of the kernel: its folder has another name here. */
#ifndef TBAND_FREERTOS_VERSION_FOUND
#if defined(CONFIG_FREERTOS_SMP) && (ESP_IDF_VERSION >= ESP_IDF_VERSION_VAL(5, 3, 0))
#define TBAND_FREERTOS_VERSION_FOUND 110000
#elif !defined(CONFIG_FREERTOS_SMP) && (ESP_IDF_VERSION >= ESP_IDF_VERSION_VAL(5, 2, 0))
#define TBAND_FREERTOS_VERSION_FOUND 100501
#else
#define TBAND_FREERTOS_VERSION_FOUND 100403
#endif
#endif

#if defined(CONFIG_FREERTOS_NUMBER_OF_CORES)
#define TBAND_ESP_IDF_CORES CONFIG_FREERTOS_NUMBER_OF_CORES
#elif defined(CONFIG_FREERTOS_UNICORE)
#define TBAND_ESP_IDF_CORES 1
#else
#define TBAND_ESP_IDF_CORES 2
#endif

#else
#define TBAND_IS_ESP_IDF 0
#define TBAND_KERNEL_IS_OF_ESP_IDF 0
#define TBAND_ESP_IDF_IS_OLD 0
#endif

#endif /* TBAND_ESP_IDF_H */
