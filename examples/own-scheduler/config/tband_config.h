#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

#define tband_configENABLE 1
#define tband_configFREERTOS_TRACE_ENABLE 0
#define tband_configUSE_SCHEDULER 1
#define tband_configUSE_BACKEND_STREAMING 1
#define tband_configFORMAT TBAND_FORMAT_PACKETS
#define tband_configTIME_IS_KEPT 1
#define tband_configPACKET_COUNT 64
#define tband_configMETADATA_BUF_SIZE 2048

#endif
