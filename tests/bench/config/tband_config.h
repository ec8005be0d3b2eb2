/* The recorder as it is measured: the options of docs/src/reference/cost.md. */
#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

#define tband_configENABLE BENCH_TRACE
#define tband_configUSE_BACKEND_SNAPSHOT 1
#define tband_configFREERTOS_TRACE_ENABLE 1

#if defined(BENCH_MEASURE_SIZE)
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE 16384
#else
/* Never full, and out of the way. */
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE (4 * 1024 * 1024)
#define tband_configSNAPSHOT_BUF_ATTRIBUTE __attribute__((section(".psram")))
#endif

#endif
