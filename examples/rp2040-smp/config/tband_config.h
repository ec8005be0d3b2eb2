/*
 * tband configuration of the example. CMakeLists.txt chooses the backend (-DTBAND_BACKEND=...); a program with one
 * writes it here. Memory counts for each core.
 */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE                1
#define tband_configFREERTOS_TRACE_ENABLE 1
#define tband_configFORMAT                TBAND_FORMAT_PACKETS
#define tband_configBUILD_ID              "rp2040-smp"

#define tband_configMETADATA_BUF_SIZE 1024
#define tband_configPACKET_COUNT      16 /* of 512 bytes: about 1500 events */

/* The SDK's start-up code leaves this section alone, so a reset does, too. */
#define tband_configPACKET_BUF_ATTRIBUTE __attribute__((section(".uninitialized_data.tband")))

#endif /* TBAND_CONFIG_H_ */
