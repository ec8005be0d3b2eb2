/* The defaults, but for the backend, and objects that the host may send to. */
#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

#define tband_configENABLE 1
#define tband_configFREERTOS_TRACE_ENABLE 1
#define tband_configUSE_BACKEND_SNAPSHOT 1
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE 16384
#define tband_configALLOW_INJECT 1
#define tband_configINJECT_OBJECTS 3

#endif
