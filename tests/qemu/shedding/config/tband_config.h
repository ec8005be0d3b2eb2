/* tband configuration of the test: a small ring, and three steps. Tasks, markers and interrupts are never shed. */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE                1
#define tband_configFREERTOS_TRACE_ENABLE 1
#define tband_configUSE_FILTERS           1
#define tband_configUSE_SHEDDING          1
#define tband_configSHEDDING_ORDER        TBAND_CLASS_HEAP, TBAND_CLASS_NOTIFICATION, TBAND_CLASS_QUEUE

#define tband_configFORMAT                TBAND_FORMAT_PACKETS
#define tband_configUSE_BACKEND_STREAMING 1
#define tband_configPACKET_COUNT          34 /* 28 to 40 do; a probe also needs room for names */
#define tband_configMETADATA_BUF_SIZE     2048

#endif /* TBAND_CONFIG_H_ */
