/* Every configuration macro of tband: meaning, unit, bounds and default.
 *
 * Pulled in by tband.h. Your own tband_config.h, which must exist somewhere on the include path, is
 * read first; what it does not define gets its default here. With tband_configENABLE 0 nothing else
 * is needed and nothing is checked. */
#include "tband_requirements.h"

#if defined(TBAND_READS_CONFIG)
#error "tband: tband_config.h includes FreeRTOS.h, FreeRTOSConfig.h or tband.h, which read tband_config.h themselves. Remove that #include: tband_config.h needs nothing of them."
#include TBAND_STOP
#endif

#ifndef TBAND_CONFIG_DEFAULTS_H
#define TBAND_CONFIG_DEFAULTS_H

#include <stdbool.h> /* for the user's tband_config.h, which may say true */

/* This file is there: newlib defines __has_include(file) as 0 for compilers that have none. */
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

/* Everything. 0: all functions and hooks are typed no-ops that cost nothing. 0 or 1. */
#ifndef tband_configENABLE
#define tband_configENABLE 0
#endif

/* The wire format: TBAND_FORMAT_PACKETS, with which new projects begin, packets of events with sequence number and
 * check, in a ring of each core; or TBAND_FORMAT_FRAMES, that of Tonbandgeraet, a frame an event, for 1.7 times the
 * instructions and bytes. Unset, configuration files of Tonbandgeraet keep their meaning. */
#ifndef tband_configFORMAT
#define tband_configFORMAT TBAND_FORMAT_FRAMES
#endif
#define TBAND_USES_PACKETS (tband_configFORMAT == TBAND_FORMAT_PACKETS)

/* Bytes of a packet: 128 to 4096, a multiple of 8. A header takes 36 of them. Packets only, as the next four. */
#ifndef tband_configPACKET_SIZE
#define tband_configPACKET_SIZE 512
#endif

/* Packets of each core: 1 to 32767. What is recorded while nobody takes packets has to fit in. */
#ifndef tband_configPACKET_COUNT
#define tband_configPACKET_COUNT 8
#endif

/* Milliseconds after which a packet is closed though it is not full, by the kernel's tick, or without FreeRTOS by
 * tband_keep_time(). 1 to 60000, and less than a quarter of the turn of a 32-bit timer. */
#ifndef tband_configPACKET_MAX_AGE_MS
#define tband_configPACKET_MAX_AGE_MS 100
#endif

/* The metadata is sent again after this many packets, for readers that join late. 0: only by
 * tband_request_metadata(). 0 to 65535. */
#ifndef tband_configPACKET_METADATA_EVERY
#define tband_configPACKET_METADATA_EVERY 256
#endif

/* Attribute of the memory of the packets, as tband_configSNAPSHOT_BUF_ATTRIBUTE. With the post-mortem backend it is that
 * of all memory that is to survive a reset, the metadata buffers too: of a section that the start-up code does not clear,
 * for example __attribute__((section(".noinit"))); there it has to be said, nothing for memory that is read before a
 * reset. */
#ifndef tband_configPACKET_BUF_ATTRIBUTE
#define tband_configPACKET_BUF_ATTRIBUTE
#define TBAND_PACKETS_ARE_ANYWHERE 1
#endif

/* A debug probe takes the packets, over RTT: the ring of packets is a buffer of the control block that probes of all
 * makers look for. Packets and streaming backend, one core; nothing else takes packets then. Of the ring one packet less is
 * used. Needs a tick, or tband_keep_time() some ten times a second, for names. 0 or 1. */
#ifndef tband_configUSE_RTT
#define tband_configUSE_RTT 0
#endif

/* With RTT: tband_start_streaming() lets the probe see that there is a recording, and it starts when somebody has read
 * that, in the next tick or tband_keep_time(). So nothing is discarded before. 0 or 1. */
#ifndef tband_configSTART_ON_READER
#define tband_configSTART_ON_READER 0
#endif

/* With RTT: the number of the buffer in the control block. 0 to 15; 1 in a block that is shared, where 0 is the
 * terminal. */
#ifndef tband_configRTT_CHANNEL
#if defined(tband_configRTT_SHARE) && (tband_configRTT_SHARE + 0 != 0)
#define tband_configRTT_CHANNEL 1
#else
#define tband_configRTT_CHANNEL 0
#endif
#endif

/* With RTT: 1 if the firmware has a control block, of SEGGER_RTT.c for example, that is set up before
 * tband_start_streaming() and has a buffer for tband, of this number, that nobody else uses. 0: tband has its own. */
#ifndef tband_configRTT_SHARE
#define tband_configRTT_SHARE 0
#endif

/* With RTT: name of the control block. Another one where the firmware has a block by this name that is not shared; then
 * give the probe's program the address. */
#ifndef tband_configRTT_SYMBOL
#define tband_configRTT_SYMBOL _SEGGER_RTT
#endif

/* With RTT: attribute of tband's own control block, as tband_configPACKET_BUF_ATTRIBUTE, for memory where the probe's
 * program looks for it. */
#ifndef tband_configRTT_ATTRIBUTE
#define tband_configRTT_ATTRIBUTE
#endif

/* For port/tband_commands.c, which obeys the host: start, stop, names, flush and filters are allowed. 0 or 1. */
#ifndef tband_configALLOW_CONTROL
#define tband_configALLOW_CONTROL 1
#endif

/* For port/tband_commands.c: the host may read memory, from tband_configCOMMAND_MEMORY_FIRST to tband_configCOMMAND_MEMORY_LAST.
 * A read at an address where nothing is may be a fault. 0 or 1. */
#ifndef tband_configALLOW_READ
#define tband_configALLOW_READ 0
#endif

/* For port/tband_commands.c: the host may write that memory. 0 or 1. */
#ifndef tband_configALLOW_WRITE
#define tband_configALLOW_WRITE 0
#endif

/* For port/tband_commands.c: the host may send items and notifications to the queues, semaphores and tasks of FreeRTOS that the
 * firmware names with tband_freertos_allow_queue() and tband_freertos_allow_task(). 0 or 1. */
#ifndef tband_configALLOW_INJECT
#define tband_configALLOW_INJECT 0
#endif

/* So many of them, with that; 8 bytes of RAM each. */
#ifndef tband_configINJECT_OBJECTS
#define tband_configINJECT_OBJECTS 4
#endif

/* Address of the first byte that the host may read or write. */
#ifndef tband_configCOMMAND_MEMORY_FIRST
#define tband_configCOMMAND_MEMORY_FIRST 0x20000000
#endif

/* Address of the last one. */
#ifndef tband_configCOMMAND_MEMORY_LAST
#define tband_configCOMMAND_MEMORY_LAST 0x2000FFFF
#endif

/* So many values a command of the host may write at most. */
#ifndef tband_configCOMMAND_MAX_FILL
#define tband_configCOMMAND_MAX_FILL 256
#endif

/* Bytes of commands that wait, also in the down-channel of RTT: a power of two, 64 or more. The longest command has 36. */
#ifndef tband_configCOMMAND_BUF_SIZE
#define tband_configCOMMAND_BUF_SIZE 64
#endif

/* For port/tband_commands.c: a debugger may write commands into the firmware's memory. Without RTT, which has a channel for
 * that; 94 bytes of RAM. 0 or 1. */
#ifndef tband_configUSE_MAILBOX
#define tband_configUSE_MAILBOX 1
#endif

/* Longest string that is recorded, in bytes; longer ones are cut, and no byte after is read. Bounds
 * the length of a frame and so the longest time in a hook. 1 to 65535. */
#ifndef tband_configMAX_STR_LEN
#define tband_configMAX_STR_LEN 20
#define TBAND_STRINGS_HAVE_USUAL_LEN 1
#endif

/* Number of events of a core with a timestamp after which the count of dropped events is sent again, so that a
 * reader that joins late or misses data learns of it. 0: sent only when events were dropped. */
#ifndef tband_configTRACE_DROP_CNT_EVERY
#define tband_configTRACE_DROP_CNT_EVERY 50
#endif

/* Record event and value markers, task-local ones included. 0 or 1. */
#ifndef tband_configMARKER_TRACE_ENABLE
#define tband_configMARKER_TRACE_ENABLE 1
#endif

/* Record interrupts (tband_isr_enter, tband_isr_exit, tband_isr_name). 0 or 1. */
#ifndef tband_configISR_TRACE_ENABLE
#define tband_configISR_TRACE_ENABLE 1
#endif

/* Record a scheduler of your own, see tband_scheduler.h. 0 or 1; not with FreeRTOS, which has hooks. */
#ifndef tband_configUSE_SCHEDULER
#define tband_configUSE_SCHEDULER 0
#endif

/* Packets begin with the interrupts that are open. Of those that tband_isr_enter() reports these are so many, the outermost; of
 * others inside them somebody who begins to read there, or has lost what was before, gets to know only when they end. Each takes 4
 * bytes of RAM, on each core. 1 to 16. As many as a Cortex-M0 has priorities, unless you say more. */
#ifndef tband_configISR_NESTING
#define tband_configISR_NESTING 4
#endif

/* What packets begin with, for each core a row of words: the task that runs, 0 if there is none; and of the interrupts that
 * tband_isr_enter() reports those that are open, the outermost first, as many as this, and a 0. */
#if tband_configISR_TRACE_ENABLE
#define TBAND_NAMED_ISRS (TBAND_AS(uint32_t, tband_configISR_NESTING))
#else
#define TBAND_NAMED_ISRS 0U
#endif
#define TBAND_AT_BEGIN_WORDS (1U + TBAND_NAMED_ISRS + 1U)

/* TBAND_RECORD(): formats stay in the program's memory, and each goes into the metadata buffer when it is used for the first
 * time, so that whoever reads a recording needs no ELF file. 0: they are in a section that is not loaded, take no flash, and the
 * host reads the ELF file; link with port/records/tband_strings.ld. 0 or 1; 1 where addresses have more than 32 bits, and with compilers that
 * are not like GCC. */
#ifndef tband_configRECORD_DICTIONARY
#if defined(__GNUC__) && defined(__SIZEOF_POINTER__) && (__SIZEOF_POINTER__ <= 4)
#define tband_configRECORD_DICTIONARY 0
#else
#define tband_configRECORD_DICTIONARY 1
#endif
#endif

/* Let firmware choose what is recorded while it runs, see tband_filters.h. Costs up to 3 instructions
 * in each hook while everything is recorded, 450 bytes of RAM and some flash; off, nothing. 0 or 1. */
#ifndef tband_configUSE_FILTERS
#define tband_configUSE_FILTERS 0
#endif

/* When packets run out, leave out classes of events in an order, count what is left out, and say so, see the guide's page on filters. Needs
 * tband_configUSE_FILTERS 1, packets, and the streaming backend, also with RTT. Costs 108 bytes of RAM for each core more than filters and some
 * flash, and no further look in a hook while there is room; off, nothing. 0 or 1. */
#ifndef tband_configUSE_SHEDDING
#define tband_configUSE_SHEDDING 0
#endif

/* The order, with tband_configUSE_SHEDDING: one class after the other, TBAND_CLASS_*, or several joined by |, the least important
 * first; classes that are not in it are never left out. 1 to 32. */
#ifndef tband_configSHEDDING_ORDER
#define tband_configSHEDDING_ORDER                                                                  \
  TBAND_CLASS_API | TBAND_CLASS_SCHEDULER_STEP, TBAND_CLASS_TICK | TBAND_CLASS_STACK, TBAND_CLASS_HEAP, \
      TBAND_CLASS_TASK_EXTRA | TBAND_CLASS_QUEUE_EXTRA, TBAND_GROUP_COMMUNICATION
#endif

/* How full the ring of packets is when the first class goes, in percent; the others go at equal distances from there on. 1 to 100. */
#ifndef tband_configSHEDDING_FROM
#define tband_configSHEDDING_FROM 50
#endif

/* Let firmware wait for something and end the recording soon after it, see tband_triggers.h. Costs 4 to 11 instructions in each
 * hook while no trigger looks at its event, some 530 bytes of RAM and some flash; off, nothing. 0 or 1. */
#ifndef tband_configUSE_TRIGGERS
#define tband_configUSE_TRIGGERS 0
#endif

/* Hooks that the kernel calls with interrupts masked enter no critical section of their own: on a Cortex-M4 6 instructions less in a
 * task switch or a queue's send, and some flash. Which hooks these are is known for kernels of one core and the kernel's own ports for
 * Cortex-M and RISC-V: the table is freertos-hooks/tband_hooks_masked.h. 0 or 1. */
#ifndef tband_configTRUST_KERNEL_CRITICAL_SECTIONS
#define tband_configTRUST_KERNEL_CRITICAL_SECTIONS 0
#endif

/* Look at the interrupt mask in each of these hooks, and in TBAND_END_NOCRIT(), and call configASSERT() where nothing is masked; where
 * FreeRTOSConfig.h defines it. 0 or 1; 0 with NDEBUG. */
#ifndef tband_configCHECK_KERNEL_CRITICAL_SECTIONS
#if defined(NDEBUG)
#define tband_configCHECK_KERNEL_CRITICAL_SECTIONS 0
#else
#define tband_configCHECK_KERNEL_CRITICAL_SECTIONS 1
#endif
#endif

/* Keep names and the like of what exists in a buffer of each core, so that a recording that starts later has
 * them. 0 or 1. */
#ifndef tband_configUSE_METADATA_BUF
#define tband_configUSE_METADATA_BUF 1
#endif

/* Size of each core's metadata buffer in bytes. What does not fit is counted, see
 * tband_get_metadata_dropped_cnt; the recording says how large it should be. 1 to 65535. */
#ifndef tband_configMETADATA_BUF_SIZE
#define tband_configMETADATA_BUF_SIZE 256
#endif

/* The backend: exactly one tband_configUSE_BACKEND_... is 1. */
#include "tband_backends.h"

/* Size of each core's snapshot buffer in bytes: 8 to 10 an event. At least 256; at least 1 without
 * tband_configTRACE_INFO_ENABLE. */
#ifndef tband_configBACKEND_SNAPSHOT_BUF_SIZE
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE 32768
#endif

/* Attribute of the snapshot buffers, to place them in memory of your choice, for example
 * __attribute__((section(".psram"))). The buffers need not be zeroed at start-up. */
#ifndef tband_configSNAPSHOT_BUF_ATTRIBUTE
#define tband_configSNAPSHOT_BUF_ATTRIBUTE
#endif

/* Recordings describe themselves at their start: the timer's frequency, event set version, cores,
 * kernel version and tick rate (about 18 bytes), so that the host needs no --mode and --core-count.
 * 0: recordings are those of Tonbandgeraet byte for byte, as far as it has the events; the resolution is
 * yours to send, with tband_gather_system_metadata, and a hook while recording is off costs a critical
 * section, since its drop counts count those events too. 0 or 1. */
#ifndef tband_configTRACE_INFO_ENABLE
#define tband_configTRACE_INFO_ENABLE 1
#endif

/* Name of the firmware build, sent with the above: a string, or NULL for none. */
#ifndef tband_configBUILD_ID
#define tband_configBUILD_ID NULL
#endif

/* Record FreeRTOS: numbers and names of tasks and queues, and what the classes below add. 0 or 1. Where there
 * is a kernel it has to be said. */
#ifndef tband_configFREERTOS_TRACE_ENABLE
#define tband_configFREERTOS_TRACE_ENABLE 0
#define TBAND_FREERTOS_UNDECIDED 1
#endif

/* The kernel's port protects memory (portUSING_MPU_WRAPPERS is 1), so there may be tasks without privileges: the
 * recorder looks who calls. The compiler demands it where it is needed; it costs each call some ten instructions.
 * 0 or 1. */
#ifndef tband_configMEMORY_PROTECTION
#define tband_configMEMORY_PROTECTION 0
#endif

/* Version of the kernel that the hooks are for: major * 10000 + minor * 100 + build, 100100 (V10.1.0) and
 * up. CMake reads it out of the kernel's task.h; elsewhere the newest kernel is assumed, and where that is
 * wrong the compiler says so. What an older kernel has no trace macro for is not recorded. */
#ifndef tband_configFREERTOS_VERSION
#ifdef TBAND_FREERTOS_VERSION_FOUND
#define tband_configFREERTOS_VERSION TBAND_FREERTOS_VERSION_FOUND
#else
#define tband_configFREERTOS_VERSION 110200
#endif
#endif

/* Class: scheduling, creation, deletion and priorities of tasks. 0 or 1. */
#ifndef tband_configFREERTOS_TASK_TRACE_ENABLE
#define tband_configFREERTOS_TASK_TRACE_ENABLE 1
#endif

/* Class: queues, semaphores and mutexes. 0 or 1. */
#ifndef tband_configFREERTOS_QUEUE_TRACE_ENABLE
#define tband_configFREERTOS_QUEUE_TRACE_ENABLE 1
#endif

/* Class: what tasks and queues do beyond the two classes above. Tasks: waits aborted, core affinity,
 * creation failed. 0 or 1. */
#ifndef tband_configFREERTOS_TASK_EXTRA_TRACE_ENABLE
#define tband_configFREERTOS_TASK_EXTRA_TRACE_ENABLE 1
#endif

/* Class: queues deleted, peeks, failures and time-outs, items sent to the front, recursive mutexes,
 * creation failed. 0 or 1. */
#ifndef tband_configFREERTOS_QUEUE_EXTRA_TRACE_ENABLE
#define tband_configFREERTOS_QUEUE_EXTRA_TRACE_ENABLE 1
#endif

/* Class: direct-to-task notifications. 0 or 1. */
#ifndef tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE
#define tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE 1
#endif

/* Class: stream and message buffers. 0 or 1. */
#ifndef tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE
#define tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE 1
#endif

/* Class: event groups. 0 or 1. */
#ifndef tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE
#define tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE 1
#endif

/* Class: software timers and pended function calls. 0 or 1. */
#ifndef tband_configFREERTOS_TIMER_TRACE_ENABLE
#define tband_configFREERTOS_TIMER_TRACE_ENABLE 1
#endif

/* Class: memory taken from and given back to the kernel's heap. 0 or 1. */
#ifndef tband_configFREERTOS_HEAP_TRACE_ENABLE
#define tband_configFREERTOS_HEAP_TRACE_ENABLE 1
#endif

/* tband_configHEAP_FREE_SIZE(), no default: bytes that are left in a heap of your own, for example
 * xPortGetFreeHeapSize(). Of the kernel's heaps it is known, but for heap_3, which does not know. */

/* Class: begin and end of tickless idle. 0 or 1. */
#ifndef tband_configFREERTOS_LOW_POWER_TRACE_ENABLE
#define tband_configFREERTOS_LOW_POWER_TRACE_ENABLE 1
#endif

/* Class: interrupts whose handlers call traceISR_ENTER and traceISR_EXIT, with the number that
 * tband_portISR_NUMBER() gives. That of the kernel's tick, tband_portTICK_ISR_NUMBER (15, SysTick, on
 * Cortex-M), is left out unless the class TICK is on. 0 or 1; 1 where the number is known without your
 * help: on Cortex-M, and where tband_config.h defines tband_portISR_NUMBER(). 0 before FreeRTOS V11: there
 * portYIELD_FROM_ISR() reports no exit, so handlers that end with it would stay open; turn it on if yours
 * call traceISR_EXIT() on every way out. */
#ifndef tband_configFREERTOS_ISR_TRACE_ENABLE
#if ((tband_configFREERTOS_VERSION) >= 110000) && \
    (defined(tband_portISR_NUMBER) || (defined(__ARM_ARCH_PROFILE) && (__ARM_ARCH_PROFILE == 'M')))
#define tband_configFREERTOS_ISR_TRACE_ENABLE 1
#else
#define tband_configFREERTOS_ISR_TRACE_ENABLE 0
#endif
#endif

/* Class: stack that a task has never used, at its deletion and now and then when it stops running.
 * Off, since the kernel counts the bytes one by one, in a critical section. 0 or 1. */
#ifndef tband_configFREERTOS_STACK_TRACE_ENABLE
#define tband_configFREERTOS_STACK_TRACE_ENABLE 0
#endif

/* A task's stack is looked at each time that it has stopped running this often. 1 to 255. */
#ifndef tband_configFREERTOS_STACK_SAMPLE_EVERY
#define tband_configFREERTOS_STACK_SAMPLE_EVERY 32
#endif

/* Class: the scheduler's own steps: tasks switched out, put into the ready list, put into a list of
 * delayed tasks. Off, since other events show most of it. 0 or 1. */
#ifndef tband_configFREERTOS_SCHEDULER_STEP_TRACE_ENABLE
#define tband_configFREERTOS_SCHEDULER_STEP_TRACE_ENABLE 0
#endif

/* Class: each tick of the kernel, and with the class ISR its interrupt. Off, since it is one event a tick
 * or three. 0 or 1. */
#ifndef tband_configFREERTOS_TICK_TRACE_ENABLE
#define tband_configFREERTOS_TICK_TRACE_ENABLE 0
#endif

/* The kernel's tick reads a timer that the port extends from 32 bits (tband_extend32.h, SysTick), so that no
 * wrap is missed where nothing is recorded for long, and closes packets that are old. Costs an empty call a tick
 * where the port has another timer, and frames are recorded. 0 or 1; 1 with packets, and on Cortex-M, whose cycle
 * counter is such a timer. */
#ifndef tband_configTICK_KEEPS_TIME
#if TBAND_USES_PACKETS || (defined(__ARM_ARCH_PROFILE) && (__ARM_ARCH_PROFILE == 'M'))
#define tband_configTICK_KEEPS_TIME 1
#else
#define tband_configTICK_KEEPS_TIME 0
#endif
#endif

/* Without FreeRTOS, where packets are recorded and the port extends a timer of fewer than 64 bits: 1 says that your
 * program calls tband_keep_time() at least four times in each turn of that timer. Else recordings say that pauses may be
 * longer than they show, and tband-cli repeats it. 0 or 1. */
#ifndef tband_configTIME_IS_KEPT
#define tband_configTIME_IS_KEPT 0
#endif

/* Class: each call of a kernel function, and its return. Off, since it is many events, and about 20
 * bytes of code at each end of each function. While it is on, what the port's macros call must not be
 * a kernel function. FreeRTOS V11 and later. 0 or 1. */
#ifndef tband_configFREERTOS_API_TRACE_ENABLE
#define tband_configFREERTOS_API_TRACE_ENABLE 0
#endif

/* Trace macros of the kernel that are defined again after tband.h, and do not call tband's, are allowed: what they
 * stand for is not recorded. With 0 they end the build. To record and do something of your own, call tband's by its
 * second name in yours: tband_traceTASK_DELAY() in traceTASK_DELAY(). 0 or 1. */
#ifndef tband_configALLOW_OWN_TRACE_MACROS
#define tband_configALLOW_OWN_TRACE_MACROS 0
#endif

/* A number may be missing: with + 0 it is 0, and no error of the #if. */
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

/* Inside of FreeRTOSConfig.h: what FreeRTOS.h includes after it is not there yet. */
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
/* The rings are the buffers, or there are none. */
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
