/*
 * tband configuration of the example. Every knob and its default is described
 * in include/tband_config_defaults.h. The backend is chosen by CMakeLists.txt
 * (-DTBAND_BACKEND=...), which defines tband_configUSE_BACKEND_STREAMING or
 * tband_configUSE_BACKEND_SNAPSHOT; a program with one backend writes it here.
 */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE                1
#define tband_configFREERTOS_TRACE_ENABLE 1
#define tband_configBUILD_ID              "mps2-an386"

/* Packets; -DTBAND_FORMAT=frames (make: FORMAT=frames) builds the same with frames, the format of Tonbandgeraet. */
#ifndef tband_configFORMAT
#define tband_configFORMAT TBAND_FORMAT_PACKETS
#endif

/* Names given before and while recording; the program creates tasks all the time. */
#define tband_configMETADATA_BUF_SIZE 16384

#if tband_configUSE_BACKEND_SNAPSHOT
/* In the large memory; one second of run time takes about 45 kB, and 80 kB as frames. */
#define tband_configPACKET_COUNT              4096 /* of 512 bytes */
#define tband_configPACKET_BUF_ATTRIBUTE      __attribute__((section(".psram")))
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE (4 * 1024 * 1024)
#define tband_configSNAPSHOT_BUF_ATTRIBUTE    __attribute__((section(".psram")))
#else
/* Holds the recording until the UART has sent it. */
#define tband_configPACKET_COUNT 64
#endif

#endif /* TBAND_CONFIG_H_ */
