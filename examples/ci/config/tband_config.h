/*
 * tband configuration of the example. Every knob and its default is described
 * in include/tband_config_defaults.h.
 */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE                1
#define tband_configFREERTOS_TRACE_ENABLE 1
#define tband_configBUILD_ID              "ci"
#define tband_configFORMAT                TBAND_FORMAT_PACKETS

/* The complete recording stays in the board's large memory, so sending it takes no time of the
 * program. */
#define tband_configUSE_BACKEND_SNAPSHOT 1
#define tband_configPACKET_COUNT         1024 /* of 512 bytes */
#define tband_configPACKET_BUF_ATTRIBUTE __attribute__((section(".psram")))

#endif /* TBAND_CONFIG_H_ */
