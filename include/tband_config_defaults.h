/* Every configuration macro of tband: meaning, unit, bounds and default. Without bounds a macro is 0 or 1.
 *
 * Included by tband.h. Your own tband_config.h, which must exist on the include path, is read first; macros that
 * it does not define get their default here. With tband_configENABLE 0 no other macro is needed, and none is
 * checked. */
#include "tband_requirements.h"

#if defined(TBAND_READS_CONFIG)
#error "tband: tband_config.h includes FreeRTOS.h, FreeRTOSConfig.h or tband.h, which read tband_config.h themselves. Remove that #include: tband_config.h needs nothing of them."
#include TBAND_STOP
#endif

#ifndef TBAND_CONFIG_DEFAULTS_H
#define TBAND_CONFIG_DEFAULTS_H

#include <stdbool.h> /* for the user's tband_config.h, which may contain true */

/* Tests for a file that exists: newlib defines __has_include(file) as 0 for compilers that lack it. */
#if defined(__has_include)
#if __has_include("tband_config_defaults.h")
#define TBAND_CAN_LOOK_FOR_FILES 1
#endif
#endif

#if defined(TBAND_CAN_LOOK_FOR_FILES)
#if !__has_include("tband_config.h")
#error "tband: tband_config.h was not found. Create it in a folder on the include path with these lines:"
#error "    #define tband_configENABLE 1"
#error "    #define tband_configFORMAT TBAND_FORMAT_PACKETS"
#error "    #define tband_configUSE_BACKEND_STREAMING 1   /* or ..._SNAPSHOT, ..._POST_MORTEM, ..._EXTERNAL */"
#error "    #define tband_configFREERTOS_TRACE_ENABLE 1   /* 0 without FreeRTOS */"
#include TBAND_STOP
#endif
#endif

/* Values of tband_configFORMAT. */
#define TBAND_FORMAT_FRAMES 1
#define TBAND_FORMAT_PACKETS 2

#ifdef INC_FREERTOS_H
#define TBAND_READS_CONFIG_IN_KERNEL 1
#endif
#define TBAND_READS_CONFIG 1
#include "tband_config.h"
#undef TBAND_READS_CONFIG
#if defined(INC_FREERTOS_H) && !defined(TBAND_READS_CONFIG_IN_KERNEL)
#error "tband: tband_config.h includes FreeRTOS.h, which reads tband_config.h itself. Remove that #include: tband_config.h needs nothing of it."
#include TBAND_STOP
#endif

#include "tband_config_check.h"
#include "tband_esp_idf.h"

/* Enables tband. 0: all functions and hooks are typed no-ops that cost nothing. */
#ifndef tband_configENABLE
#define tband_configENABLE 0
#endif

/* The wire format. TBAND_FORMAT_PACKETS, for new projects: packets of events in a ring of each core.
 * TBAND_FORMAT_FRAMES, the format of Tonbandgeraet: one frame for each event, with 1.7 times the instructions and
 * bytes. */
#ifndef tband_configFORMAT
#define tband_configFORMAT TBAND_FORMAT_FRAMES
#endif
#define TBAND_USES_PACKETS (tband_configFORMAT == TBAND_FORMAT_PACKETS)

/* Size of a packet in bytes: 128 to 4096, a multiple of 8. The header takes 36 of them. For packets only, like the
 * next four macros. */
#ifndef tband_configPACKET_SIZE
#define tband_configPACKET_SIZE 512
#endif

/* Number of packets of each core, 1 to 32767. */
#ifndef tband_configPACKET_COUNT
#define tband_configPACKET_COUNT 8
#endif

/* Age in milliseconds at which a packet is closed although it is not full, by the kernel's tick, or without FreeRTOS
 * by tband_keep_time(). 1 to 60000, and less than a quarter of the period of a 32-bit timer. */
#ifndef tband_configPACKET_MAX_AGE_MS
#define tband_configPACKET_MAX_AGE_MS 100
#endif

/* Number of packets after which the metadata is sent again, 0 to 65535. 0: only after tband_request_metadata(). */
#ifndef tband_configPACKET_METADATA_EVERY
#define tband_configPACKET_METADATA_EVERY 256
#endif

/* Attribute of the memory of the packets. With the post-mortem backend it must be defined, and applies to all memory
 * that must survive a reset: a section that the start-up code does not clear, for example
 * __attribute__((section(".noinit"))), or nothing if you read the memory before a reset. */
#ifndef tband_configPACKET_BUF_ATTRIBUTE
#define tband_configPACKET_BUF_ATTRIBUTE
#define TBAND_PACKETS_ARE_ANYWHERE 1
#endif

/* A debug probe reads the packets over RTT. Needs packets, the streaming backend and one core, and no other
 * consumer. One packet of the ring stays unused. Names need a tick, or tband_keep_time() about ten times a
 * second. */
#ifndef tband_configUSE_RTT
#define tband_configUSE_RTT 0
#endif

/* With RTT: after tband_start_streaming(), recording starts only when the probe has read its announcement, in the
 * next tick or tband_keep_time(). */
#ifndef tband_configSTART_ON_READER
#define tband_configSTART_ON_READER 0
#endif

/* With RTT: number of the buffer in the control block, 0 to 15. The default is 1 in a shared block. */
#ifndef tband_configRTT_CHANNEL
#if defined(tband_configRTT_SHARE) && (tband_configRTT_SHARE + 0 != 0)
#define tband_configRTT_CHANNEL 1
#else
#define tband_configRTT_CHANNEL 0
#endif
#endif

/* With RTT: 1 if the firmware has a control block, for example of SEGGER_RTT.c, which is set up before
 * tband_start_streaming() and has this buffer. 0: tband has its own. */
#ifndef tband_configRTT_SHARE
#define tband_configRTT_SHARE 0
#endif

/* With RTT: name of the control block. With another name, pass the address to the probe's program. */
#ifndef tband_configRTT_SYMBOL
#define tband_configRTT_SYMBOL _SEGGER_RTT
#endif

/* With RTT: attribute of tband's own control block. */
#ifndef tband_configRTT_ATTRIBUTE
#define tband_configRTT_ATTRIBUTE
#endif

/* For port/tband_commands.c: allows the host's commands start, stop, names, flush and filters. */
#ifndef tband_configALLOW_CONTROL
#define tband_configALLOW_CONTROL 1
#endif

/* For port/tband_commands.c: allows the host to read memory from tband_configCOMMAND_MEMORY_FIRST to
 * tband_configCOMMAND_MEMORY_LAST. Reading an address without memory may fault. */
#ifndef tband_configALLOW_READ
#define tband_configALLOW_READ 0
#endif

/* For port/tband_commands.c: allows the host to write that memory. */
#ifndef tband_configALLOW_WRITE
#define tband_configALLOW_WRITE 0
#endif

/* For port/tband_commands.c: allows the host to send to objects that the firmware registers with
 * tband_freertos_allow_queue() and tband_freertos_allow_task(). */
#ifndef tband_configALLOW_INJECT
#define tband_configALLOW_INJECT 0
#endif

/* Maximum number of these objects; 8 bytes of RAM each. */
#ifndef tband_configINJECT_OBJECTS
#define tband_configINJECT_OBJECTS 4
#endif

/* Address of the first byte that the host may read or write. */
#ifndef tband_configCOMMAND_MEMORY_FIRST
#define tband_configCOMMAND_MEMORY_FIRST 0x20000000
#endif

/* Address of the last byte that the host may read or write. */
#ifndef tband_configCOMMAND_MEMORY_LAST
#define tband_configCOMMAND_MEMORY_LAST 0x2000FFFF
#endif

/* Maximum number of values that a command of the host may write. */
#ifndef tband_configCOMMAND_MAX_FILL
#define tband_configCOMMAND_MAX_FILL 256
#endif

/* Buffer for commands in bytes, also of RTT's down-channel: a power of two, at least 64. */
#ifndef tband_configCOMMAND_BUF_SIZE
#define tband_configCOMMAND_BUF_SIZE 64
#endif

/* For port/tband_commands.c, without RTT: a debugger may write commands into the firmware's memory. Takes 94 bytes of
 * RAM. */
#ifndef tband_configUSE_MAILBOX
#define tband_configUSE_MAILBOX 1
#endif

/* Maximum number of bytes that are recorded of a string; no byte after them is read. Bounds the longest time in a
 * hook. 1 to 65535. */
#ifndef tband_configMAX_STR_LEN
#define tband_configMAX_STR_LEN 20
#define TBAND_STRINGS_HAVE_USUAL_LEN 1
#endif

/* Number of events with a timestamp on a core after which the count of dropped events is sent again. 0: only when
 * events were dropped. */
#ifndef tband_configTRACE_DROP_CNT_EVERY
#define tband_configTRACE_DROP_CNT_EVERY 50
#endif

/* Record event and value markers, including task-local ones. */
#ifndef tband_configMARKER_TRACE_ENABLE
#define tband_configMARKER_TRACE_ENABLE 1
#endif

/* Record interrupts (tband_isr_enter, tband_isr_exit, tband_isr_name). */
#ifndef tband_configISR_TRACE_ENABLE
#define tband_configISR_TRACE_ENABLE 1
#endif

/* Record your own scheduler, see tband_scheduler.h. Not with FreeRTOS, which has hooks. */
#ifndef tband_configUSE_SCHEDULER
#define tband_configUSE_SCHEDULER 0
#endif

/* Number of open interrupts of tband_isr_enter(), the outermost ones, at the begin of each packet, 1 to 16. Each
 * takes 4 bytes of RAM on each core. */
#ifndef tband_configISR_NESTING
#define tband_configISR_NESTING 4
#endif

/* State at the begin of packets, a row of words for each core: the running task, 0 if there is none; then the open
 * interrupts that tband_isr_enter() has reported, the outermost first, at most this number; and a 0. */
#if tband_configISR_TRACE_ENABLE
#define TBAND_NAMED_ISRS (TBAND_AS(uint32_t, tband_configISR_NESTING))
#else
#define TBAND_NAMED_ISRS 0U
#endif
#define TBAND_AT_BEGIN_WORDS (1U + TBAND_NAMED_ISRS + 1U)

/* TBAND_RECORD(). 1: formats are in flash, and in the recording from their first use on. 0: they take no flash,
 * and the host reads the ELF file; link with port/records/tband_strings.ld. The default is 1 where addresses have
 * more than 32 bits, and with compilers that are not compatible with GCC. */
#ifndef tband_configRECORD_DICTIONARY
#if defined(__GNUC__) && defined(__SIZEOF_POINTER__) && (__SIZEOF_POINTER__ <= 4)
#define tband_configRECORD_DICTIONARY 0
#else
#define tband_configRECORD_DICTIONARY 1
#endif
#endif

/* The firmware can choose at run time which events are recorded, see tband_filters.h. Costs up to 3 instructions
 * in each hook while everything is recorded, 450 bytes of RAM and some flash; off, nothing. */
#ifndef tband_configUSE_FILTERS
#define tband_configUSE_FILTERS 0
#endif

/* When packets run out, skip classes of events in an order, and report their number. Needs tband_configUSE_FILTERS 1,
 * packets and the streaming backend (also with RTT). Costs 108 bytes of RAM for each core in addition to filters, and
 * some flash. */
#ifndef tband_configUSE_SHEDDING
#define tband_configUSE_SHEDDING 0
#endif

/* The order for tband_configUSE_SHEDDING, the least important first: 1 to 32 of TBAND_CLASS_*, or several joined by
 * |, separated by commas. Other classes are never skipped. */
#ifndef tband_configSHEDDING_ORDER
#define tband_configSHEDDING_ORDER                                                                  \
  TBAND_CLASS_API | TBAND_CLASS_SCHEDULER_STEP, TBAND_CLASS_TICK | TBAND_CLASS_STACK, TBAND_CLASS_HEAP, \
      TBAND_CLASS_TASK_EXTRA | TBAND_CLASS_QUEUE_EXTRA, TBAND_GROUP_COMMUNICATION
#endif

/* Fill level of the ring in percent, 1 to 100, at which the first class is skipped. */
#ifndef tband_configSHEDDING_FROM
#define tband_configSHEDDING_FROM 50
#endif

/* The firmware can wait for a condition and end the recording soon after it, see tband_triggers.h. Costs 4 to 11
 * instructions in each hook while no trigger waits for its event, about 530 bytes of RAM and some flash; off,
 * nothing. */
#ifndef tband_configUSE_TRIGGERS
#define tband_configUSE_TRIGGERS 0
#endif

/* Hooks that the kernel calls with interrupts masked, see freertos-hooks/tband_hooks_masked.h, enter no critical
 * section: fewer instructions, some flash more. For kernels of one core with the kernel's own ports for Cortex-M and
 * RISC-V. */
#ifndef tband_configTRUST_KERNEL_CRITICAL_SECTIONS
#define tband_configTRUST_KERNEL_CRITICAL_SECTIONS 0
#endif

/* Each of these hooks, and TBAND_END_NOCRIT(), tests the interrupt mask and calls configASSERT() if interrupts
 * are not masked, where FreeRTOSConfig.h defines it. The default is 0 with NDEBUG. */
#ifndef tband_configCHECK_KERNEL_CRITICAL_SECTIONS
#if defined(NDEBUG)
#define tband_configCHECK_KERNEL_CRITICAL_SECTIONS 0
#else
#define tband_configCHECK_KERNEL_CRITICAL_SECTIONS 1
#endif
#endif

/* Keep names of the live objects in a buffer of each core, for later recordings. */
#ifndef tband_configUSE_METADATA_BUF
#define tband_configUSE_METADATA_BUF 1
#endif

/* Size of each core's metadata buffer in bytes, 1 to 65535. If entries do not fit, the recording contains the
 * necessary size. */
#ifndef tband_configMETADATA_BUF_SIZE
#define tband_configMETADATA_BUF_SIZE 256
#endif

/* The backend: exactly one tband_configUSE_BACKEND_... is 1. */
#include "tband_backends.h"

/* Size of each core's snapshot buffer in bytes; an event takes 8 to 10. At least 256; at least 1 without
 * tband_configTRACE_INFO_ENABLE. */
#ifndef tband_configBACKEND_SNAPSHOT_BUF_SIZE
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE 32768
#endif

/* Attribute of the snapshot buffers, for example __attribute__((section(".psram"))). They need not be zeroed at
 * start-up. */
#ifndef tband_configSNAPSHOT_BUF_ATTRIBUTE
#define tband_configSNAPSHOT_BUF_ATTRIBUTE
#endif

/* Recordings begin with the timer's frequency, event set version, number of cores, kernel version and tick rate
 * (about 18 bytes), so the host needs no --mode and --core-count. 0: recordings equal those of Tonbandgeraet for its
 * events; record the resolution with tband_gather_system_metadata(). A hook then costs a critical section while
 * recording is off. */
#ifndef tband_configTRACE_INFO_ENABLE
#define tband_configTRACE_INFO_ENABLE 1
#endif

/* Name of the firmware build in the recording: a string, or NULL. */
#ifndef tband_configBUILD_ID
#define tband_configBUILD_ID NULL
#endif

/* Record FreeRTOS: names of tasks and queues, and the classes below. Must be defined if there is a kernel. */
#ifndef tband_configFREERTOS_TRACE_ENABLE
#define tband_configFREERTOS_TRACE_ENABLE 0
#define TBAND_FREERTOS_UNDECIDED 1
#endif

/* The kernel's port protects memory (portUSING_MPU_WRAPPERS is 1, then required), and the recorder tests the
 * privilege of the caller, in about ten instructions for each call. */
#ifndef tband_configMEMORY_PROTECTION
#define tband_configMEMORY_PROTECTION 0
#endif

/* Version of the kernel: major * 10000 + minor * 100 + build, 100100 (V10.1.0) and up. CMake reads it from the
 * kernel's task.h; otherwise the compiler reports a mismatch. */
#ifndef tband_configFREERTOS_VERSION
#ifdef TBAND_FREERTOS_VERSION_FOUND
#define tband_configFREERTOS_VERSION TBAND_FREERTOS_VERSION_FOUND
#else
#define tband_configFREERTOS_VERSION 110200
#endif
#endif

/* Class: scheduling, creation, deletion and priorities of tasks. */
#ifndef tband_configFREERTOS_TASK_TRACE_ENABLE
#define tband_configFREERTOS_TASK_TRACE_ENABLE 1
#endif

/* Class: queues, semaphores and mutexes. */
#ifndef tband_configFREERTOS_QUEUE_TRACE_ENABLE
#define tband_configFREERTOS_QUEUE_TRACE_ENABLE 1
#endif

/* Class: other events of tasks: aborted waits, core affinity, failed creation. */
#ifndef tband_configFREERTOS_TASK_EXTRA_TRACE_ENABLE
#define tband_configFREERTOS_TASK_EXTRA_TRACE_ENABLE 1
#endif

/* Class: other events of queues: deletion, peeks, failures and time-outs, items sent to the front, recursive
 * mutexes, failed creation. */
#ifndef tband_configFREERTOS_QUEUE_EXTRA_TRACE_ENABLE
#define tband_configFREERTOS_QUEUE_EXTRA_TRACE_ENABLE 1
#endif

/* Class: direct-to-task notifications. */
#ifndef tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE
#define tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE 1
#endif

/* Class: stream and message buffers. */
#ifndef tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE
#define tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE 1
#endif

/* Class: event groups. */
#ifndef tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE
#define tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE 1
#endif

/* Class: software timers and pended function calls. */
#ifndef tband_configFREERTOS_TIMER_TRACE_ENABLE
#define tband_configFREERTOS_TIMER_TRACE_ENABLE 1
#endif

/* Class: allocations and deallocations in the kernel's heap. */
#ifndef tband_configFREERTOS_HEAP_TRACE_ENABLE
#define tband_configFREERTOS_HEAP_TRACE_ENABLE 1
#endif

/* tband_configHEAP_FREE_SIZE(), no default: the free bytes of a custom heap, for example xPortGetFreeHeapSize(). Not
 * needed for the kernel's heaps; heap_3 does not know the number. */

/* Class: begin and end of tickless idle. */
#ifndef tband_configFREERTOS_LOW_POWER_TRACE_ENABLE
#define tband_configFREERTOS_LOW_POWER_TRACE_ENABLE 1
#endif

/* Class: interrupts whose handlers call traceISR_ENTER and traceISR_EXIT, with the number that
 * tband_portISR_NUMBER() returns. The kernel's tick, tband_portTICK_ISR_NUMBER (15, SysTick, on Cortex-M), is
 * recorded only if the class TICK is on. The default is 1 in ESP-IDF with CONFIG_ESP_TRACE_LIB_EXTERNAL, where
 * the tick is recorded too, and from FreeRTOS V11 on where the number is known: on Cortex-M, and if
 * tband_config.h defines tband_portISR_NUMBER(). Before V11 portYIELD_FROM_ISR() reports no exit: turn the class
 * on only if all handlers call traceISR_EXIT(). */
#ifndef tband_configFREERTOS_ISR_TRACE_ENABLE
#if TBAND_IS_ESP_IDF
#if defined(CONFIG_ESP_TRACE_LIB_EXTERNAL)
#define tband_configFREERTOS_ISR_TRACE_ENABLE 1
#else
#define tband_configFREERTOS_ISR_TRACE_ENABLE 0
#endif
#elif ((tband_configFREERTOS_VERSION) >= 110000) && \
    (defined(tband_portISR_NUMBER) || (defined(__ARM_ARCH_PROFILE) && (__ARM_ARCH_PROFILE == 'M')))
#define tband_configFREERTOS_ISR_TRACE_ENABLE 1
#else
#define tband_configFREERTOS_ISR_TRACE_ENABLE 0
#endif
#endif

/* Class: the stack that a task has never used, at its deletion and at some of its switches. The kernel counts the
 * bytes one by one in a critical section. */
#ifndef tband_configFREERTOS_STACK_TRACE_ENABLE
#define tband_configFREERTOS_STACK_TRACE_ENABLE 0
#endif

/* Number of times that a task stops running between two such measurements. 1 to 255. */
#ifndef tband_configFREERTOS_STACK_SAMPLE_EVERY
#define tband_configFREERTOS_STACK_SAMPLE_EVERY 32
#endif

/* Class: a task is switched out, put into the ready list, or put into a list of delayed tasks. */
#ifndef tband_configFREERTOS_SCHEDULER_STEP_TRACE_ENABLE
#define tband_configFREERTOS_SCHEDULER_STEP_TRACE_ENABLE 0
#endif

/* Class: each tick of the kernel, and with the class ISR its interrupt: one or three events. */
#ifndef tband_configFREERTOS_TICK_TRACE_ENABLE
#define tband_configFREERTOS_TICK_TRACE_ENABLE 0
#endif

/* The kernel's tick reads a timer that the port extends from 32 bits (tband_extend32.h, SysTick), so that no
 * wraparound is missed while nothing is recorded, and closes old packets. The default is 1 with packets, and on
 * Cortex-M. */
#ifndef tband_configTICK_KEEPS_TIME
#if TBAND_USES_PACKETS || (defined(__ARM_ARCH_PROFILE) && (__ARM_ARCH_PROFILE == 'M'))
#define tband_configTICK_KEEPS_TIME 1
#else
#define tband_configTICK_KEEPS_TIME 0
#endif
#endif

/* Without FreeRTOS, with packets and a port that extends a timer of fewer than 64 bits: 1 declares that your
 * program calls tband_keep_time() at least four times in each period of that timer. With 0 tband-cli reports that
 * pauses may be longer than they appear. */
#ifndef tband_configTIME_IS_KEPT
#define tband_configTIME_IS_KEPT 0
#endif

/* Class: each call of a kernel function, and its return: many events, and about 20 bytes of code at each end of it. The
 * port's macros must not call kernel functions. FreeRTOS V11 and later. */
#ifndef tband_configFREERTOS_API_TRACE_ENABLE
#define tband_configFREERTOS_API_TRACE_ENABLE 0
#endif

/* Allows kernel trace macros that are defined again after tband.h; with 0 they are a compile error. Their events are
 * recorded only if they call tband's macro by its second name: tband_traceTASK_DELAY() in traceTASK_DELAY(). */
#ifndef tband_configALLOW_OWN_TRACE_MACROS
#define tband_configALLOW_OWN_TRACE_MACROS 0
#endif

/* A macro may be empty: with + 0 it is 0, and not an error of the #if. */
#if tband_configENABLE != 0

#if TBAND_BACKEND_COUNT != 1
#error "tband: choose exactly one backend in tband_config.h, for example: #define tband_configUSE_BACKEND_STREAMING 1"
#include TBAND_STOP
#endif

#if (tband_configFORMAT == TBAND_FORMAT_FRAMES) || (tband_configFORMAT == TBAND_FORMAT_PACKETS)
#else
#error "tband: tband_configFORMAT must be TBAND_FORMAT_FRAMES or TBAND_FORMAT_PACKETS"
#include TBAND_STOP
#endif

#if (tband_configUSE_BACKEND_POST_MORTEM != 0) && !TBAND_USES_PACKETS
#error "tband: the post-mortem backend overwrites packets, and frames are recorded. Put into tband_config.h:"
#error "    #define tband_configFORMAT TBAND_FORMAT_PACKETS"
#include TBAND_STOP
#endif

#if (tband_configUSE_BACKEND_POST_MORTEM != 0) && defined(TBAND_PACKETS_ARE_ANYWHERE)
#error "tband: the post-mortem backend's memory is cleared after a reset, as all memory is that is in no section of its own. Put into tband_config.h, with the name of a section that your start-up code leaves alone; nothing after the macro if you read the recording before a reset:"
#error "    #define tband_configPACKET_BUF_ATTRIBUTE __attribute__((section(\".noinit\")))"
#include TBAND_STOP
#endif

#if TBAND_USES_PACKETS
#if tband_configTRACE_INFO_ENABLE == 0
#error "tband: Tonbandgeraet's recordings, tband_configTRACE_INFO_ENABLE 0, are frames. Put into tband_config.h:"
#error "    #define tband_configFORMAT TBAND_FORMAT_FRAMES"
#include TBAND_STOP
#endif
#if (tband_configPACKET_SIZE + 0 >= 128) && (tband_configPACKET_SIZE + 0 <= 4096) && ((tband_configPACKET_SIZE + 0) % 8 == 0)
#else
#error "tband: tband_configPACKET_SIZE must be 128 to 4096, and a multiple of 8"
#include TBAND_STOP
#endif
#if (tband_configPACKET_COUNT + 0 >= 1) && (tband_configPACKET_COUNT + 0 <= 32767)
#else
#error "tband: tband_configPACKET_COUNT must be 1 to 32767"
#include TBAND_STOP
#endif
#if (tband_configISR_NESTING + 0 >= 1) && (tband_configISR_NESTING + 0 <= 16)
#else
#error "tband: tband_configISR_NESTING must be 1 to 16"
#include TBAND_STOP
#endif
#if (tband_configPACKET_MAX_AGE_MS + 0 >= 1) && (tband_configPACKET_MAX_AGE_MS + 0 <= 60000)
#else
#error "tband: tband_configPACKET_MAX_AGE_MS must be 1 to 60000"
#include TBAND_STOP
#endif
#if !TBAND_IS_EMPTY(tband_configPACKET_METADATA_EVERY) && (tband_configPACKET_METADATA_EVERY + 0 >= 0) && \
    (tband_configPACKET_METADATA_EVERY + 0 <= 65535)
#else
#error "tband: tband_configPACKET_METADATA_EVERY must be 0 to 65535"
#include TBAND_STOP
#endif
#endif

#if (tband_configUSE_FILTERS != 0) && (tband_configTRACE_INFO_ENABLE == 0)
#error "tband: recordings of Tonbandgeraet, tband_configTRACE_INFO_ENABLE 0, cannot say what a filter leaves out. Put into tband_config.h:"
#error "    #define tband_configUSE_FILTERS 0"
#include TBAND_STOP
#endif

#if tband_configUSE_SHEDDING != 0
#if !TBAND_USES_PACKETS || (tband_configUSE_BACKEND_STREAMING == 0)
#error "tband: shedding is for packets and the streaming backend, whose packets somebody takes; a snapshot stops when it is full, post-mortem overwrites, and neither sheds. Put into tband_config.h:"
#error "    #define tband_configUSE_SHEDDING 0"
#include TBAND_STOP
#endif
#if tband_configUSE_FILTERS == 0
#error "tband: what is shed is left out by a filter. Put into tband_config.h:"
#error "    #define tband_configUSE_FILTERS 1"
#include TBAND_STOP
#endif
#if (tband_configSHEDDING_FROM + 0 >= 1) && (tband_configSHEDDING_FROM + 0 <= 100)
#else
#error "tband: tband_configSHEDDING_FROM must be 1 to 100"
#include TBAND_STOP
#endif
#endif

#if tband_configUSE_RTT != 0
#if !TBAND_USES_PACKETS || (tband_configUSE_BACKEND_STREAMING == 0)
#error "tband: RTT is for packets and the streaming backend. Put into tband_config.h:"
#error "    #define tband_configFORMAT TBAND_FORMAT_PACKETS"
#error "    #define tband_configUSE_BACKEND_STREAMING 1"
#include TBAND_STOP
#endif
#if tband_configPACKET_COUNT + 0 < 3
#error "tband: with RTT tband_configPACKET_COUNT must be at least 3: one packet is open, and one has the metadata"
#include TBAND_STOP
#endif
#if !TBAND_IS_EMPTY(tband_configRTT_CHANNEL) && (tband_configRTT_CHANNEL + 0 >= 0) && (tband_configRTT_CHANNEL + 0 <= 15)
#else
#error "tband: tband_configRTT_CHANNEL must be 0 to 15"
#include TBAND_STOP
#endif
#elif tband_configSTART_ON_READER != 0
#error "tband: only a recording over RTT can start when somebody reads. Put into tband_config.h:"
#error "    #define tband_configUSE_RTT 1"
#include TBAND_STOP
#endif

/* Inside FreeRTOSConfig.h: the headers that FreeRTOS.h includes after it are not included yet. */
#if defined(TBAND_FREERTOS_UNDECIDED) && defined(INC_FREERTOS_H) && !defined(PROJDEFS_H)
#error "tband: FreeRTOSConfig.h includes tband.h, and tband_config.h does not say whether to record FreeRTOS. Add there:"
#error "    #define tband_configFREERTOS_TRACE_ENABLE 1   /* 0: only what your own code records */"
#include TBAND_STOP
#endif

#if (tband_configMAX_STR_LEN + 0 >= 1) && (tband_configMAX_STR_LEN + 0 <= 65535)
#else
#error "tband: tband_configMAX_STR_LEN must be 1 to 65535"
#include TBAND_STOP
#endif

#if !TBAND_IS_EMPTY(tband_configTRACE_DROP_CNT_EVERY) && (tband_configTRACE_DROP_CNT_EVERY + 0 >= 0) && \
    (tband_configTRACE_DROP_CNT_EVERY + 0 <= 4294967295)
#else
#error "tband: tband_configTRACE_DROP_CNT_EVERY must be 0 to 4294967295; 0: sent only when events were dropped"
#include TBAND_STOP
#endif

#if (tband_configUSE_METADATA_BUF == 0) || (tband_configMETADATA_BUF_SIZE + 0 >= 1)
#else
#error "tband: tband_configMETADATA_BUF_SIZE must be at least 1; to do without it: #define tband_configUSE_METADATA_BUF 0"
#include TBAND_STOP
#endif

#if (tband_configFREERTOS_STACK_SAMPLE_EVERY + 0 >= 1) && (tband_configFREERTOS_STACK_SAMPLE_EVERY + 0 <= 255)
#else
#error "tband: tband_configFREERTOS_STACK_SAMPLE_EVERY must be 1 to 255"
#include TBAND_STOP
#endif

#if TBAND_USES_PACKETS || (tband_configUSE_BACKEND_SNAPSHOT == 0)
/* Without snapshot buffers, or with rings in their place, the size is unused. */
#elif tband_configBACKEND_SNAPSHOT_BUF_SIZE + 0 >= 1
#if (tband_configTRACE_INFO_ENABLE != 0) && (tband_configBACKEND_SNAPSHOT_BUF_SIZE + 0 < 256)
#error "tband: the snapshot buffer has no room to speak of: an event takes 8 to 10 bytes, and what a recording says of itself up to 100. Put into tband_config.h:"
#error "    #define tband_configBACKEND_SNAPSHOT_BUF_SIZE 8192   /* bytes; at least 256 */"
#include TBAND_STOP
#endif
#else
#error "tband: tband_configBACKEND_SNAPSHOT_BUF_SIZE must be at least 1"
#include TBAND_STOP
#endif

#endif /* tband_configENABLE */

#endif /* TBAND_CONFIG_DEFAULTS_H */
