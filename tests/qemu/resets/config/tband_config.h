/* tband configuration of the test: a small ring, in memory that a reset leaves as it is. */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE                  1
#define tband_configFREERTOS_TRACE_ENABLE   0
#define tband_configFORMAT                  TBAND_FORMAT_PACKETS
#define tband_configUSE_BACKEND_POST_MORTEM 1
#define tband_configMETADATA_BUF_SIZE       256
#define tband_configMAX_STR_LEN             12
#define tband_configPACKET_MAX_AGE_MS       1
#define tband_configPACKET_BUF_ATTRIBUTE    __attribute__((section(".psram")))

#endif /* TBAND_CONFIG_H_ */
