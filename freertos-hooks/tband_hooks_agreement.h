/* The settings on which the kernel's hooks, tband_freertos.c and the shim must agree, as a part of the names of the
 * functions that connect them.
 *
 * The three are compiled separately, perhaps with different options, and would link whatever the options are. A kernel
 * for one core with a recorder for two, for example, writes the running task of both cores to the same place. With
 * these names such a program does not link, and the linker reports the settings of the caller, for example
 *
 *   undefined reference to `tband_freertos_task_created_for_v11_2_1_core_packets_tick_time'
 *
 * `nm` lists the name of the function that exists. Names cost no instruction and no memory.
 *
 * Read in FreeRTOSConfig.h, like all hooks. A class of events is named if it is not as it is by default. */
#ifndef TBAND_HOOKS_AGREEMENT_H
#define TBAND_HOOKS_AGREEMENT_H

#include "tband.h" /* has no effect unless this header was included directly */
#include "tband_hooks_version.h"

/* What the kernel's macros are called with, and which of them exist. */
#if TBAND_KERNEL_TRACES_ITS_START
#define TBAND_AGREED_VERSION v11_2
#elif TBAND_KERNEL_IS_V11
#define TBAND_AGREED_VERSION v11_0
#elif TBAND_KERNEL_IS_OF_ESP_IDF
#define TBAND_AGREED_VERSION v10_of_esp_idf
#elif TBAND_KERNEL_IS_V10_4
#define TBAND_AGREED_VERSION v10_4
#elif TBAND_KERNEL_IS_AT_LEAST(100300)
#define TBAND_AGREED_VERSION v10_3
#else
#define TBAND_AGREED_VERSION v10_1
#endif

#if TBAND_KERNEL_CORES == 1
#define TBAND_AGREED_CORES _1_core
#elif TBAND_KERNEL_CORES == 2
#define TBAND_AGREED_CORES _2_cores
#elif TBAND_KERNEL_CORES == 3
#define TBAND_AGREED_CORES _3_cores
#elif TBAND_KERNEL_CORES == 4
#define TBAND_AGREED_CORES _4_cores
#elif TBAND_KERNEL_CORES == 6
#define TBAND_AGREED_CORES _6_cores
#elif TBAND_KERNEL_CORES == 8
#define TBAND_AGREED_CORES _8_cores
#else
#define TBAND_AGREED_CORES _other_number_of_cores
#endif

/* With packets the hooks store the running task and the open interrupts for the next packet. */
#if TBAND_USES_PACKETS
#define TBAND_AGREED_FORMAT _packets
#else
#define TBAND_AGREED_FORMAT _frames
#endif

/* The hook of the tick reads the timer before it wraps. */
#if tband_configTICK_KEEPS_TIME != 0
#define TBAND_AGREED_TIME _tick_time
#else
#define TBAND_AGREED_TIME
#endif

/* The hooks tell apart a task that becomes ready and one that is listed again. */
#if tband_configUSE_TRIGGERS
#define TBAND_AGREED_TRIGGERS _triggers
#else
#define TBAND_AGREED_TRIGGERS
#endif

/* The shim records in each recording which classes the hooks have. */
#if tband_configFREERTOS_TASK_TRACE_ENABLE != 0
#define TBAND_AGREED_TASK
#else
#define TBAND_AGREED_TASK _no_task
#endif
#if tband_configFREERTOS_QUEUE_TRACE_ENABLE != 0
#define TBAND_AGREED_QUEUE
#else
#define TBAND_AGREED_QUEUE _no_queue
#endif
#if tband_configFREERTOS_TASK_EXTRA_TRACE_ENABLE != 0
#define TBAND_AGREED_TASK_EXTRA
#else
#define TBAND_AGREED_TASK_EXTRA _no_task_extra
#endif
#if tband_configFREERTOS_QUEUE_EXTRA_TRACE_ENABLE != 0
#define TBAND_AGREED_QUEUE_EXTRA
#else
#define TBAND_AGREED_QUEUE_EXTRA _no_queue_extra
#endif
#if tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE != 0
#define TBAND_AGREED_NOTIFICATION
#else
#define TBAND_AGREED_NOTIFICATION _no_notification
#endif
#if tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE != 0
#define TBAND_AGREED_STREAM_BUFFER
#else
#define TBAND_AGREED_STREAM_BUFFER _no_stream_buffer
#endif
#if tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE != 0
#define TBAND_AGREED_EVENT_GROUP
#else
#define TBAND_AGREED_EVENT_GROUP _no_event_group
#endif
#if tband_configFREERTOS_TIMER_TRACE_ENABLE != 0
#define TBAND_AGREED_TIMER
#else
#define TBAND_AGREED_TIMER _no_timer
#endif
#if tband_configFREERTOS_HEAP_TRACE_ENABLE != 0
#define TBAND_AGREED_HEAP
#else
#define TBAND_AGREED_HEAP _no_heap
#endif
#if tband_configFREERTOS_LOW_POWER_TRACE_ENABLE != 0
#define TBAND_AGREED_LOW_POWER
#else
#define TBAND_AGREED_LOW_POWER _no_low_power
#endif
/* Off by default; the class ISR is on if the port knows the number of an interrupt. */
#if tband_configFREERTOS_ISR_TRACE_ENABLE != 0
#define TBAND_AGREED_ISR _isr
#else
#define TBAND_AGREED_ISR
#endif
#if tband_configFREERTOS_STACK_TRACE_ENABLE != 0
#define TBAND_AGREED_STACK _stack
#else
#define TBAND_AGREED_STACK
#endif
#if tband_configFREERTOS_SCHEDULER_STEP_TRACE_ENABLE != 0
#define TBAND_AGREED_SCHEDULER_STEP _scheduler_step
#else
#define TBAND_AGREED_SCHEDULER_STEP
#endif
#if tband_configFREERTOS_TICK_TRACE_ENABLE != 0
#define TBAND_AGREED_TICK _tick
#else
#define TBAND_AGREED_TICK
#endif
#if tband_configFREERTOS_API_TRACE_ENABLE != 0
#define TBAND_AGREED_API _api
#else
#define TBAND_AGREED_API
#endif

#define TBAND_AGREED_NAME_(function, version, cores, format, time, triggers, a, b, c, d, e, f, g, h, i, j, k, l, m, \
                           n, o) \
  function##_for_##version##cores##format##time##triggers##a##b##c##d##e##f##g##h##i##j##k##l##m##n##o
/* Expands the settings. */
#define TBAND_AGREED_NAME__(function, version, cores, format, time, triggers, a, b, c, d, e, f, g, h, i, j, k, l, m, \
                            n, o) \
  TBAND_AGREED_NAME_(function, version, cores, format, time, triggers, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
#define TBAND_AGREED_NAME(function)                                                                                 \
  TBAND_AGREED_NAME__(function, TBAND_AGREED_VERSION, TBAND_AGREED_CORES, TBAND_AGREED_FORMAT, TBAND_AGREED_TIME,   \
                      TBAND_AGREED_TRIGGERS, TBAND_AGREED_TASK, TBAND_AGREED_QUEUE, TBAND_AGREED_TASK_EXTRA,        \
                      TBAND_AGREED_QUEUE_EXTRA, TBAND_AGREED_NOTIFICATION, TBAND_AGREED_STREAM_BUFFER,              \
                      TBAND_AGREED_EVENT_GROUP, TBAND_AGREED_TIMER, TBAND_AGREED_HEAP, TBAND_AGREED_LOW_POWER,      \
                      TBAND_AGREED_ISR, TBAND_AGREED_STACK, TBAND_AGREED_SCHEDULER_STEP, TBAND_AGREED_TICK,         \
                      TBAND_AGREED_API)

/* Each file of the kernel that creates objects calls one of these, and so does each program with its tasks. */
#define tband_freertos_task_created TBAND_AGREED_NAME(tband_freertos_task_created)
#define tband_freertos_queue_created TBAND_AGREED_NAME(tband_freertos_queue_created)
#define tband_freertos_stream_buffer_created TBAND_AGREED_NAME(tband_freertos_stream_buffer_created)
#define tband_freertos_event_group_created TBAND_AGREED_NAME(tband_freertos_event_group_created)
#define tband_freertos_timer_created TBAND_AGREED_NAME(tband_freertos_timer_created)
/* tband_freertos.c calls this one, which the shim defines. */
#define tband_freertos_next_number TBAND_AGREED_NAME(tband_freertos_next_number)

#endif /* TBAND_HOOKS_AGREEMENT_H */
