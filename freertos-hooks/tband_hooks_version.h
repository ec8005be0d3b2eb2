/* Which kernel the hooks are for, and what kernels of different versions have.
 *
 * Read in FreeRTOSConfig.h, where the kernel's own version is not known yet: it comes from CMake or from
 * tband_config.h. tband_freertos.c, which sees task.h, checks it. What is not mentioned here is the same
 * in all versions from V10.1.0 on. */
#ifndef TBAND_HOOKS_VERSION_H
#define TBAND_HOOKS_VERSION_H

#include "tband.h" /* does nothing unless this header was included by itself */

#define TBAND_KERNEL_IS_AT_LEAST(version) ((tband_configFREERTOS_VERSION) >= (version))

/* Several notifications for each task: the macros have an index, the values are in an array. Queue sets
 * have a macro of their own; before, traceQUEUE_SEND stands for them too, where no copy position is. */
#define TBAND_KERNEL_IS_V10_4 TBAND_KERNEL_IS_AT_LEAST(100400)

/* traceENTER_* and traceRETURN_* in each function, and with them all that the kernel has no other macro
 * for: queues reset, copy position in interrupts, waits aborted, core affinity, notifications cleared,
 * tasks and timers not created. Also several cores, and, only called by kernels
 * that have them: traceMOVED_TASK_TO_DELAYED_LIST, traceMOVED_TASK_TO_OVERFLOW_DELAYED_LIST,
 * traceSTREAM_BUFFER_RESET_FROM_ISR, and traceISR_* in ports. */
#define TBAND_KERNEL_IS_V11 TBAND_KERNEL_IS_AT_LEAST(110000)

/* traceSTARTING_SCHEDULER, which says what the idle tasks are. */
#define TBAND_KERNEL_TELLS_ITS_START TBAND_KERNEL_IS_AT_LEAST(110200)

#if !TBAND_KERNEL_IS_AT_LEAST(100100)
#error "tband: the hooks are for FreeRTOS V10.1.0 and later, and tband_configFREERTOS_VERSION says it is older"
#include TBAND_STOP
#endif
/* The other classes look into objects of the kernel that have other fields there. */
#if !TBAND_KERNEL_IS_AT_LEAST(100300) &&                                                          \
    ((tband_configFREERTOS_TASK_EXTRA_TRACE_ENABLE != 0) ||                                       \
     (tband_configFREERTOS_QUEUE_EXTRA_TRACE_ENABLE != 0) ||                                      \
     (tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE != 0) ||                                     \
     (tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE != 0) ||                                    \
     (tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE != 0) ||                                      \
     (tband_configFREERTOS_TIMER_TRACE_ENABLE != 0) || (tband_configFREERTOS_HEAP_TRACE_ENABLE != 0) || \
     (tband_configFREERTOS_LOW_POWER_TRACE_ENABLE != 0) || (tband_configFREERTOS_STACK_TRACE_ENABLE != 0))
#error "tband: FreeRTOS before V10.3 is recorded in the classes TASK and QUEUE only. Put into tband_config.h:"
#error "    #define tband_configFREERTOS_TASK_EXTRA_TRACE_ENABLE 0"
#error "    #define tband_configFREERTOS_QUEUE_EXTRA_TRACE_ENABLE 0"
#error "    #define tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE 0"
#error "    #define tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE 0"
#error "    #define tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE 0"
#error "    #define tband_configFREERTOS_TIMER_TRACE_ENABLE 0"
#error "    #define tband_configFREERTOS_HEAP_TRACE_ENABLE 0"
#error "    #define tband_configFREERTOS_LOW_POWER_TRACE_ENABLE 0"
#error "    #define tband_configFREERTOS_STACK_TRACE_ENABLE 0"
#include TBAND_STOP
#endif
/* The kernel for several cores that came before V11, on a branch of its own, with macros of both. */
#if defined(configNUM_CORES) && \
    (!TBAND_KERNEL_IS_V11 || (defined(INC_FREERTOS_H) && !defined(TICK_TYPE_WIDTH_16_BITS)))
#error "tband: configNUM_CORES is of the kernel for several cores that came before V11, which cannot be recorded. Take FreeRTOS V11, where it is called configNUMBER_OF_CORES."
#include TBAND_STOP
#endif
#if (tband_configFREERTOS_API_TRACE_ENABLE != 0) && !TBAND_KERNEL_IS_V11
#error "tband: calls of the kernel can be recorded from FreeRTOS V11.0.0 on. Put into tband_config.h:"
#error "    #define tband_configFREERTOS_API_TRACE_ENABLE 0"
#include TBAND_STOP
#endif

/* What can be reported before task.h is in sight: FreeRTOS.h of V11 has this before FreeRTOSConfig.h. The
 * kernel's files are often compiled before tband_freertos.c. */
#if defined(INC_FREERTOS_H) && !defined(TICK_TYPE_WIDTH_16_BITS) && TBAND_KERNEL_IS_V11
#error "tband: the kernel is older than V11. Put its version into tband_config.h; V10.5.1, for example, is:"
#error "    #define tband_configFREERTOS_VERSION 100501"
#include TBAND_STOP
#endif
/* That of V10.6, too. Between V10.4 and V11 macros have the same arguments, and tband_freertos.c says the rest. */
#if defined(INC_FREERTOS_H) && defined(TICK_TYPE_WIDTH_16_BITS) && !TBAND_KERNEL_IS_V10_4
#error "tband: the kernel is V10.6 or later. Put its version into tband_config.h; V11.2.0, for example, is:"
#error "    #define tband_configFREERTOS_VERSION 110200"
#include TBAND_STOP
#endif

/* A kernel before V11 has one core, and no macro that says so. */
#if defined(configNUMBER_OF_CORES) && TBAND_KERNEL_IS_V11
#define TBAND_KERNEL_CORES (configNUMBER_OF_CORES)
#define TBAND_KERNEL_CORE_ID() ((uint32_t)portGET_CORE_ID())
#else
#define TBAND_KERNEL_CORES 1
#define TBAND_KERNEL_CORE_ID() 0U
#endif

/* tasks.c: the task that runs on this core. Only where it cannot be moved to another core meanwhile: with
 * several cores the kernel's pxCurrentTCB is a call of a function, which would be recorded as such. */
#if TBAND_KERNEL_CORES > 1
#define TBAND_CURRENT_TCB (pxCurrentTCBs[portGET_CORE_ID()])
#else
#define TBAND_CURRENT_TCB pxCurrentTCB
#endif

#endif /* TBAND_HOOKS_VERSION_H */
