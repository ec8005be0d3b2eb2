/* tband configuration of the test: the host may send to objects of the kernel. */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#include <stdint.h>

#define tband_configENABLE                1
#define tband_configFREERTOS_TRACE_ENABLE 1

#define tband_configFORMAT                TBAND_FORMAT_PACKETS
#define tband_configUSE_BACKEND_STREAMING 1
#define tband_configPACKET_COUNT          16
#define tband_configMETADATA_BUF_SIZE     2048
#if defined(OVER_RTT)
#define tband_configUSE_RTT 1
#endif

#define tband_configALLOW_INJECT 1
int32_t on_command(uint32_t number, uint32_t a, uint32_t b, uint32_t c);
#define tband_configON_COMMAND(number, a, b, c) on_command((number), (a), (b), (c))

#endif /* TBAND_CONFIG_H_ */
