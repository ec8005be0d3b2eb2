/* tband configuration of the test: a small ring, which is frozen, and what triggers look at. */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE                1
#define tband_configFREERTOS_TRACE_ENABLE 1
#define tband_configUSE_TRIGGERS          1

#define tband_configFORMAT                  TBAND_FORMAT_PACKETS
#define tband_configUSE_BACKEND_POST_MORTEM 1
#define tband_configPACKET_COUNT            16
#define tband_configPACKET_BUF_ATTRIBUTE    __attribute__((section(".psram")))
#define tband_configMETADATA_BUF_SIZE       2048

/* Each switch. */
#define tband_configFREERTOS_STACK_TRACE_ENABLE 1
#define tband_configFREERTOS_STACK_SAMPLE_EVERY 1

#endif /* TBAND_CONFIG_H_ */
