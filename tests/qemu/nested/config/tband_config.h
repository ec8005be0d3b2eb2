/* tband configuration of the test: a snapshot of the whole run, in the board's big memory. */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE                    1
#define tband_configFREERTOS_TRACE_ENABLE     1
#define tband_configUSE_BACKEND_SNAPSHOT      1
#define tband_configMETADATA_BUF_SIZE         1024
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE (15 * 1024 * 1024)
#define tband_configSNAPSHOT_BUF_ATTRIBUTE    __attribute__((section(".psram")))

#endif /* TBAND_CONFIG_H_ */
