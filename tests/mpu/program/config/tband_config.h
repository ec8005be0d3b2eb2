/* tband configuration of the test: a recording of the whole run, with the backend that the build chooses. */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE                1
#define tband_configFREERTOS_TRACE_ENABLE 1
#define tband_configMEMORY_PROTECTION     1
#define tband_configMETADATA_BUF_SIZE     4096

#define tband_configBACKEND_SNAPSHOT_BUF_SIZE (1024 * 1024)
#define tband_configSNAPSHOT_BUF_ATTRIBUTE    __attribute__((section(".psram")))

#ifndef tband_configFREERTOS_API_TRACE_ENABLE
#define tband_configFREERTOS_API_TRACE_ENABLE 0
#endif

#endif /* TBAND_CONFIG_H_ */
