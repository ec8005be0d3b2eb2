/* The kernel version that the hooks are for, and the features of each version.
 *
 * Read in FreeRTOSConfig.h, where the kernel's version is not known yet: it comes from CMake or from tband_config.h.
 * tband_freertos.c, which sees task.h, checks it. Everything not listed here is the same in all versions from V10.1.0
 * on. */
#ifndef TBAND_HOOKS_VERSION_H
#define TBAND_HOOKS_VERSION_H

#include "tband.h" /* has no effect unless this header was included directly */

#define TBAND_KERNEL_IS_AT_LEAST(version) ((tband_configFREERTOS_VERSION) >= (version))

/* Several notifications for each task: the macros have an index, the values are in an array. Queue sets have a separate
 * macro. Before V10.4, traceQUEUE_SEND is called for them too, where no copy position is available. */
#define TBAND_KERNEL_IS_V10_4 TBAND_KERNEL_IS_AT_LEAST(100400)

/* traceENTER_* and traceRETURN_* in each function, and with them the events that have no other macro of the kernel:
 * reset of queues, copy position in interrupts, aborted waits, core affinity, cleared notifications, failed creation of
 * tasks and timers. Also several cores, and, only called by kernels that have them: traceMOVED_TASK_TO_DELAYED_LIST,
 * traceMOVED_TASK_TO_OVERFLOW_DELAYED_LIST, traceSTREAM_BUFFER_RESET_FROM_ISR, and traceISR_* in ports. */
#define TBAND_KERNEL_IS_V11 TBAND_KERNEL_IS_AT_LEAST(110000)

/* traceSTARTING_SCHEDULER, which has the idle tasks as arguments. */
#define TBAND_KERNEL_TRACES_ITS_START TBAND_KERNEL_IS_AT_LEAST(110200)

#if !TBAND_KERNEL_IS_AT_LEAST(100100)
#error "tband: the hooks are for FreeRTOS V10.1.0 and later, and tband_configFREERTOS_VERSION is older"
#include TBAND_STOP
#endif
/* The other classes read objects of the kernel whose fields differ in older versions. */
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
#if TBAND_IS_ESP_IDF && !TBAND_KERNEL_IS_V10_4
#error "tband: the kernel of ESP-IDF is V10.4 or later. Remove tband_configFREERTOS_VERSION from tband_config.h: tband reads the version of ESP-IDF."
#include TBAND_STOP
#endif
#if TBAND_ESP_IDF_IS_OLD
#error "tband: the kernel of ESP-IDF is recorded from ESP-IDF 5.1 on. For markers, values and interrupts only, put into tband_config.h:"
#error "    #define tband_configFREERTOS_TRACE_ENABLE 0"
#include TBAND_STOP
#endif
/* The kernel for several cores from before V11, developed on a separate branch, with macros of both. */
#if TBAND_IS_ESP_IDF && defined(CONFIG_FREERTOS_SMP) && !TBAND_KERNEL_IS_V11
#error "tband: with CONFIG_FREERTOS_SMP the kernel of this ESP-IDF is the one for several cores from before V11, which cannot be recorded. Turn it off in menuconfig, or take ESP-IDF 5.3 or later."
#include TBAND_STOP
#endif
#if defined(configNUM_CORES) && !TBAND_IS_ESP_IDF && \
    (!TBAND_KERNEL_IS_V11 || (defined(INC_FREERTOS_H) && !defined(TICK_TYPE_WIDTH_16_BITS)))
#error "tband: configNUM_CORES is of the kernel for several cores that came before V11, which cannot be recorded. Take FreeRTOS V11, where it is called configNUMBER_OF_CORES."
#include TBAND_STOP
#endif
#if (tband_configFREERTOS_API_TRACE_ENABLE != 0) && !TBAND_KERNEL_IS_V11
#error "tband: calls of the kernel can be recorded from FreeRTOS V11.0.0 on. Put into tband_config.h:"
#error "    #define tband_configFREERTOS_API_TRACE_ENABLE 0"
#include TBAND_STOP
#endif

/* A check that is possible before task.h is included: FreeRTOS.h of V11 defines this before FreeRTOSConfig.h. The
 * kernel's files are often compiled before tband_freertos.c. */
#if defined(INC_FREERTOS_H) && !defined(TICK_TYPE_WIDTH_16_BITS) && TBAND_KERNEL_IS_V11
#error "tband: the kernel is older than V11. Put its version into tband_config.h; V10.5.1, for example, is:"
#error "    #define tband_configFREERTOS_VERSION 100501"
#include TBAND_STOP
#endif
/* The version of V10.6, too. Between V10.4 and V11 the macros have the same arguments; tband_freertos.c reports the
 * rest. */
#if defined(INC_FREERTOS_H) && defined(TICK_TYPE_WIDTH_16_BITS) && !TBAND_KERNEL_IS_V10_4
#error "tband: the kernel is V10.6 or later. Put its version into tband_config.h; V11.2.0, for example, is:"
#error "    #define tband_configFREERTOS_VERSION 110200"
#include TBAND_STOP
#endif

/* A kernel before V11 has one core, and lacks the macro that states the number of cores. That of ESP-IDF has two on
 * some chips. With the compiler's option -include the kernel's own macros are not defined yet. */
#if TBAND_IS_ESP_IDF
#define TBAND_KERNEL_CORES TBAND_ESP_IDF_CORES
#define TBAND_KERNEL_CORE_ID() ((uint32_t)xPortGetCoreID()) /* portGET_CORE_ID() contains a semicolon on some chips */
#elif defined(configNUMBER_OF_CORES) && TBAND_KERNEL_IS_V11
#define TBAND_KERNEL_CORES (configNUMBER_OF_CORES)
#define TBAND_KERNEL_CORE_ID() ((uint32_t)portGET_CORE_ID())
#else
#define TBAND_KERNEL_CORES 1
#define TBAND_KERNEL_CORE_ID() 0U
#endif

/* tasks.c: the task that runs on this core. Usable only where the task cannot move to another core in between: with
 * several cores the kernel's pxCurrentTCB calls a function, and that call would be recorded. ESP-IDF's kernel has an
 * array in any case, whose name changed with V10.5. */
#if TBAND_KERNEL_IS_OF_ESP_IDF && TBAND_KERNEL_IS_AT_LEAST(100500)
#define TBAND_CURRENT_TCB (pxCurrentTCBs[xPortGetCoreID()])
#elif TBAND_KERNEL_IS_OF_ESP_IDF
#define TBAND_CURRENT_TCB (pxCurrentTCB[xPortGetCoreID()])
#elif TBAND_KERNEL_CORES > 1
#define TBAND_CURRENT_TCB (pxCurrentTCBs[portGET_CORE_ID()])
#else
#define TBAND_CURRENT_TCB pxCurrentTCB
#endif

#endif /* TBAND_HOOKS_VERSION_H */
