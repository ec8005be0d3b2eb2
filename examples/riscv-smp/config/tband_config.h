/*
 * tband configuration of the example. CMakeLists.txt chooses backend and format (-DTBAND_BACKEND=...,
 * -DTBAND_FORMAT=...); a program with one of each writes them here. Memory counts for each core.
 */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE                1
#define tband_configFREERTOS_TRACE_ENABLE 1
#define tband_configBUILD_ID              "riscv-smp"

#ifndef tband_configFORMAT
#define tband_configFORMAT TBAND_FORMAT_PACKETS
#endif

#define tband_configMETADATA_BUF_SIZE 4096

/* In the machine's big memory. */
#define tband_configPACKET_BUF_ATTRIBUTE      __attribute__((section(".noinit")))
#define tband_configSNAPSHOT_BUF_ATTRIBUTE    __attribute__((section(".noinit")))
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE (512 * 1024)
#if tband_configUSE_BACKEND_STREAMING
#define tband_configPACKET_COUNT 256 /* of 512 bytes each: hold the recording until the sending task runs */
#elif tband_configUSE_BACKEND_SNAPSHOT
#define tband_configPACKET_COUNT 1024
#else
#define tband_configPACKET_COUNT 32
#endif

#endif /* TBAND_CONFIG_H_ */
