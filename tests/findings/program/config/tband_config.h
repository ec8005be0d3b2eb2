/* Each class that a finding needs. The recording stays in the board's large memory, so sending it takes no time. */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE                1
#define tband_configFREERTOS_TRACE_ENABLE 1
#define tband_configFORMAT                TBAND_FORMAT_PACKETS

#define tband_configFREERTOS_STACK_TRACE_ENABLE 1
#define tband_configFREERTOS_TICK_TRACE_ENABLE  1

#define tband_configUSE_BACKEND_SNAPSHOT 1
#define tband_configPACKET_COUNT         16384 /* of 512 bytes */
#define tband_configPACKET_BUF_ATTRIBUTE __attribute__((section(".psram")))

#endif /* TBAND_CONFIG_H_ */
