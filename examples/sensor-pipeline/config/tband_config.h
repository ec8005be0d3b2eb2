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

/* Unused bytes of each task's stack, at every eighth switch. */
#define tband_configFREERTOS_STACK_TRACE_ENABLE 1
#define tband_configFREERTOS_STACK_SAMPLE_EVERY 8

/* Packets; -DTBAND_FORMAT=frames builds the same with frames, the format of Tonbandgeraet. */
#ifndef tband_configFORMAT
#define tband_configFORMAT TBAND_FORMAT_PACKETS
#endif

/* Snapshot build only: one second of run time takes about 60 kB, and twice as much as frames. */
#if tband_configUSE_BACKEND_SNAPSHOT
#define tband_configPACKET_COUNT              1024 /* of 512 bytes */
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE (1024 * 1024)
#endif

#endif /* TBAND_CONFIG_H_ */
