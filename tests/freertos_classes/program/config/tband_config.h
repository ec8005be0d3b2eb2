/* tband configuration of the test: a snapshot of the whole run, every class on but for those that the
 * build leaves out. */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE                1
#define tband_configFREERTOS_TRACE_ENABLE 1
#define tband_configUSE_BACKEND_SNAPSHOT  1
#define tband_configMETADATA_BUF_SIZE     8192

#define tband_configBACKEND_SNAPSHOT_BUF_SIZE (4 * 1024 * 1024)
#ifdef CLASSES_PACKET_SIZE
#define tband_configFORMAT       TBAND_FORMAT_PACKETS
#define tband_configPACKET_SIZE  CLASSES_PACKET_SIZE
#define tband_configPACKET_COUNT (4 * 1024 * 1024 / CLASSES_PACKET_SIZE)
#define tband_configPACKET_METADATA_EVERY 0 /* once, at the start */
#endif
#if defined(__arm__)
#define tband_configSNAPSHOT_BUF_ATTRIBUTE __attribute__((section(".psram")))
#define tband_configPACKET_BUF_ATTRIBUTE   __attribute__((section(".psram")))
#else
/* The interrupts of the POSIX build have numbers of the program's own. */
#define tband_portISR_NUMBER() harness_isr_number
#ifndef __ASSEMBLER__
extern unsigned harness_isr_number;
#endif
#endif

/* Those that are off by default. */
#ifndef tband_configFREERTOS_STACK_TRACE_ENABLE
#define tband_configFREERTOS_STACK_TRACE_ENABLE 1
#endif
#define tband_configFREERTOS_STACK_SAMPLE_EVERY 4
#ifndef tband_configFREERTOS_SCHEDULER_STEP_TRACE_ENABLE
#define tband_configFREERTOS_SCHEDULER_STEP_TRACE_ENABLE 1
#endif
#ifndef tband_configFREERTOS_TICK_TRACE_ENABLE
#define tband_configFREERTOS_TICK_TRACE_ENABLE 1
#endif
#ifndef tband_configFREERTOS_API_TRACE_ENABLE
#define tband_configFREERTOS_API_TRACE_ENABLE 1
#endif

#endif /* TBAND_CONFIG_H_ */
