/* tband configuration of the test: everything that has functions. The build chooses backend and format. */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE                1
#define tband_configFREERTOS_TRACE_ENABLE 1
#define tband_configMETADATA_BUF_SIZE     8192
#define tband_configMAX_STR_LEN           40
#define tband_configUSE_FILTERS           1
#define tband_configUSE_TRIGGERS          1
#define tband_configALLOW_INJECT          1

#define tband_configPACKET_COUNT              256
#define tband_configPACKET_BUF_ATTRIBUTE      __attribute__((section(".noinit")))
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE (256 * 1024)
#define tband_configSNAPSHOT_BUF_ATTRIBUTE    __attribute__((section(".noinit")))

#endif /* TBAND_CONFIG_H_ */
