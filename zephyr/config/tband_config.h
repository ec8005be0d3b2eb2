/* The recorder's settings, from Kconfig. For others, copy this file into a folder of your application, change the copy,
 * and name the folder: west build -- -DTBAND_CONFIG=/path/to/folder. */
#ifndef TBAND_CONFIG_H
#define TBAND_CONFIG_H

#define tband_configENABLE 1
#define tband_configFREERTOS_TRACE_ENABLE 0
#define tband_configFORMAT TBAND_FORMAT_PACKETS
#define tband_configPACKET_COUNT CONFIG_TBAND_PACKET_COUNT
#define tband_configMETADATA_BUF_SIZE CONFIG_TBAND_METADATA_SIZE
/* Zephyr's names have 31 letters by default. */
#define tband_configMAX_STR_LEN 32

#if defined(CONFIG_TBAND_STREAMING)
#define tband_configUSE_BACKEND_STREAMING 1
#else
#define tband_configUSE_BACKEND_SNAPSHOT 1
#endif

#if defined(CONFIG_TBAND_KERNEL)
#define tband_configUSE_SCHEDULER 1
/* The idle thread calls tband_keep_time(). */
#define tband_configTIME_IS_KEPT 1
#endif

/* User threads can neither mask interrupts nor write the recorder's memory, so their calls are ignored. */
#if defined(CONFIG_USERSPACE) && defined(CONFIG_CPU_CORTEX_M)
#define tband_configMEMORY_PROTECTION 1
#endif

#endif /* TBAND_CONFIG_H */
