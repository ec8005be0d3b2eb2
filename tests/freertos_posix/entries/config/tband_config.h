/* Everything that has functions; FORMAT is the build's. */
#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

#define tband_configENABLE 1
#define tband_configFREERTOS_TRACE_ENABLE 1
#define tband_configUSE_BACKEND_SNAPSHOT 1
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE 65536
#define tband_configPACKET_COUNT 128
#define tband_configMETADATA_BUF_SIZE 16384
#define tband_configMAX_STR_LEN 40
#define tband_configUSE_FILTERS 1
#define tband_configUSE_TRIGGERS 1
#define tband_configALLOW_INJECT 1

#endif
