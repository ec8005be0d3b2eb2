/* The recorder as it is measured: the options of docs/src/reference/cost.md. */
#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

#define tband_configENABLE BENCH_TRACE
#if defined(BENCH_BACKEND_STREAMING)
#define tband_configUSE_BACKEND_STREAMING 1
#elif defined(BENCH_BACKEND_POST_MORTEM)
#define tband_configUSE_BACKEND_POST_MORTEM 1
#define tband_configPACKET_BUF_ATTRIBUTE /* the bench is not reset */
#else
#define tband_configUSE_BACKEND_SNAPSHOT 1
#endif
#define tband_configFREERTOS_TRACE_ENABLE 1

#if !defined(BENCH_MEASURE_IDLE) && !defined(BENCH_DEFAULT) /* those have the defaults */
/* As the other recorders were measured: tasks and queues, no other class. */
#define tband_configFREERTOS_TASK_EXTRA_TRACE_ENABLE 0
#define tband_configFREERTOS_QUEUE_EXTRA_TRACE_ENABLE 0
#define tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE 0
#define tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE 0
#define tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE 0
#define tband_configFREERTOS_TIMER_TRACE_ENABLE 0
#define tband_configFREERTOS_HEAP_TRACE_ENABLE 0
#define tband_configFREERTOS_LOW_POWER_TRACE_ENABLE 0
#if defined(BENCH_ISR_CLASS)
#define tband_configFREERTOS_ISR_TRACE_ENABLE 1
#if BENCH_ISR_CLASS == 1
#define tband_portTICK_ISR_NUMBER 14 /* so that the tick is an interrupt as others are */
#endif
#else
#define tband_configFREERTOS_ISR_TRACE_ENABLE 0
#endif
#endif

#if defined(BENCH_DEFAULT) && defined(BENCH_MEASURE_EVENTS)
#define tband_portTICK_ISR_NUMBER 14 /* so that the tick is an interrupt as others are */
#endif
#if !defined(BENCH_DEFAULT)
/* The timer that is measured is one load. */
#define tband_configTICK_KEEPS_TIME 0
#endif

#if defined(BENCH_MEASURE_METADATA)
#define tband_configMETADATA_BUF_SIZE BENCH_METADATA_SIZE
#endif

#if defined(BENCH_TRUST)
#define tband_configTRUST_KERNEL_CRITICAL_SECTIONS 1
#define tband_configCHECK_KERNEL_CRITICAL_SECTIONS 0
#endif

#if defined(BENCH_FILTERS)
#define tband_configUSE_FILTERS 1
#endif

#if defined(BENCH_TRIGGERS)
#define tband_configUSE_TRIGGERS 1
#endif

#if defined(BENCH_PACKET_SIZE)
#define tband_configFORMAT TBAND_FORMAT_PACKETS
#define tband_configPACKET_SIZE BENCH_PACKET_SIZE
#define tband_configPACKET_METADATA_EVERY 0
#endif

#if defined(BENCH_PACKET_AGE)
#define tband_configPACKET_MAX_AGE_MS BENCH_PACKET_AGE
#endif

#if defined(BENCH_DEFAULT) && (defined(BENCH_MEASURE_SIZE) || !defined(BENCH_BACKEND_SNAPSHOT))
/* As many packets, or as large a buffer, as there are by default. */
#elif defined(BENCH_PACKET_SIZE) && defined(BENCH_MEASURE_SIZE)
#define tband_configPACKET_COUNT (16384 / BENCH_PACKET_SIZE)
#elif defined(BENCH_PACKET_SIZE)
#define tband_configPACKET_COUNT (4 * 1024 * 1024 / BENCH_PACKET_SIZE)
#define tband_configPACKET_BUF_ATTRIBUTE __attribute__((section(".psram")))
#elif defined(BENCH_MEASURE_SIZE)
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE 16384
#else
/* Never full, and out of the way. */
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE (4 * 1024 * 1024)
#define tband_configSNAPSHOT_BUF_ATTRIBUTE __attribute__((section(".psram")))
#endif

#endif
