/*
 * tband configuration of the example: the last events stay in memory that a reset leaves alone.
 */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE                1
#define tband_configFREERTOS_TRACE_ENABLE 1
#define tband_configBUILD_ID              "crash"

#define tband_configFORMAT                  TBAND_FORMAT_PACKETS
#define tband_configUSE_BACKEND_POST_MORTEM 1
#define tband_configPACKET_COUNT            8 /* of 512 bytes: about 800 events */
#define tband_configPACKET_BUF_ATTRIBUTE    __attribute__((section(".psram")))
#define tband_configMETADATA_BUF_SIZE       512

#endif /* TBAND_CONFIG_H_ */
