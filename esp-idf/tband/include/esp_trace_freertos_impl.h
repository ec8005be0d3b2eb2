/* The trace macros of FreeRTOS, for ESP-IDF 6.0 and later: FreeRTOSConfig.h includes this file if
 * CONFIG_ESP_TRACE_LIB_EXTERNAL is set. */
#include "tband.h"
