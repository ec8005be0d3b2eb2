#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

#define APP_FRAMES 1
#define APP_PACKETS 2
#define APP_RTT 3
#define APP_POST_MORTEM 4
#define APP_FILTERS 5
#define APP_SHEDDING 6
#ifndef APP_MODE
#define APP_MODE APP_PACKETS
#endif

#define tband_configENABLE 1
#define tband_configMETADATA_BUF_SIZE 4096
#define tband_configMAX_STR_LEN 32
#if APP_MODE == APP_FRAMES
#define tband_configFORMAT TBAND_FORMAT_FRAMES
#else
#define tband_configFORMAT TBAND_FORMAT_PACKETS
#endif
#if APP_MODE == APP_POST_MORTEM
#define tband_configUSE_BACKEND_POST_MORTEM 1
#define tband_configPACKET_BUF_ATTRIBUTE __attribute__((section(".noinit")))
#define tband_configPACKET_COUNT 8
#else
#define tband_configUSE_BACKEND_STREAMING 1
#if defined(APP_RTOS) || defined(CORES)
#define tband_configPACKET_COUNT 64
#else
#define tband_configPACKET_COUNT 16
#endif
#endif
#if APP_MODE == APP_RTT
#define tband_configUSE_RTT 1
#endif
#if APP_MODE == APP_FILTERS || APP_MODE == APP_SHEDDING
#define tband_configUSE_FILTERS 1
#endif
#if APP_MODE == APP_SHEDDING
#define tband_configUSE_SHEDDING 1
#define tband_configSHEDDING_ORDER TBAND_CLASS_OWN_ISR
#undef tband_configPACKET_COUNT
#define tband_configPACKET_COUNT 8
#endif
#ifdef APP_RTOS
#define tband_configFREERTOS_TRACE_ENABLE 1
#else
#define tband_configFREERTOS_TRACE_ENABLE 0
#define tband_configTIME_IS_KEPT 1
#endif

#endif
