/* tband configuration of the example; include/tband_config_defaults.h describes each macro. */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE                1
#define tband_configFORMAT                TBAND_FORMAT_PACKETS
#define tband_configUSE_BACKEND_STREAMING 1
#define tband_configUSE_RTT               1
#define tband_configPACKET_COUNT          16

/* SysTick calls tband_keep_time(). */
#define tband_configTIME_IS_KEPT 1

/* The tests can read only this memory of QEMU; a probe can read all. Your firmware does not need
 * these lines. */
#define tband_configPACKET_BUF_ATTRIBUTE __attribute__((section(".psram")))
#define tband_configRTT_ATTRIBUTE        __attribute__((section(".psram")))

#endif /* TBAND_CONFIG_H_ */
