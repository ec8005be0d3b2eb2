/* The recorder's settings, from menuconfig. For others, copy this file into a folder of your project, change the copy,
 * and name the folder in the project's CMakeLists.txt: set(TBAND_CONFIG ${CMAKE_CURRENT_LIST_DIR}/config). */
#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

#include "sdkconfig.h"

#define tband_configENABLE 1
#define tband_configFORMAT TBAND_FORMAT_PACKETS
#define tband_configPACKET_COUNT CONFIG_TBAND_PACKET_COUNT

#if defined(CONFIG_TBAND_TRANSPORT_MEMORY)
#define tband_configUSE_BACKEND_SNAPSHOT 1
#else
#define tband_configUSE_BACKEND_STREAMING 1
#endif

#if defined(CONFIG_TBAND_FREERTOS)
#define tband_configFREERTOS_TRACE_ENABLE 1
#else
#define tband_configFREERTOS_TRACE_ENABLE 0
#endif

#endif /* TBAND_CONFIG_H */
