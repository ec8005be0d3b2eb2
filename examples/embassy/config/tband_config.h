/*
 * tband configuration of the example. Every knob and its default is described
 * in include/tband_config_defaults.h.
 */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE                1
#define tband_configFREERTOS_TRACE_ENABLE 0
#define tband_configUSE_SCHEDULER         1
#define tband_configUSE_BACKEND_STREAMING 1
#define tband_configFORMAT                TBAND_FORMAT_PACKETS

/* The whole recording: it is written when it has ended. */
#define tband_configPACKET_COUNT 128

/* SysTick records every millisecond. */
#define tband_configTIME_IS_KEPT 1

#define tband_configMETADATA_BUF_SIZE 1024

#endif /* TBAND_CONFIG_H_ */
