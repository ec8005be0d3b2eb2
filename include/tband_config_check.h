/* Reports invalid values in tband_config.h before they are used. Otherwise each #if with such a value would be an
 * error, or would take the value for 0. Part of tband_config_defaults.h, after tband_config.h. */
#if defined(TBAND_CONFIG_DEFAULTS_H) && !defined(TBAND_CONFIG_CHECK_H)
#define TBAND_CONFIG_CHECK_H

/* The preprocessor evaluates an unknown word as 0, which is not the meaning of these words. So they are defined in this
 * file unless they are macros already. `true` is defined by stdbool.h or built in. */
#ifndef yes
#define yes 9000001
#define TBAND_HAS_DEFINED_yes 1
#endif
#ifndef YES
#define YES 9000001
#define TBAND_HAS_DEFINED_YES 1
#endif
#ifndef on
#define on 9000001
#define TBAND_HAS_DEFINED_on 1
#endif
#ifndef ON
#define ON 9000001
#define TBAND_HAS_DEFINED_ON 1
#endif
#ifndef TRUE
#define TRUE 9000001
#define TBAND_HAS_DEFINED_TRUE 1
#endif
#ifndef ENABLE
#define ENABLE 9000001
#define TBAND_HAS_DEFINED_ENABLE 1
#endif
#ifndef ENABLED
#define ENABLED 9000001
#define TBAND_HAS_DEFINED_ENABLED 1
#endif

/* For an empty value the expression is 1 - - 1, which is 2. A value may be an expression without parentheses. */
#define TBAND_IS_EMPTY(value) ((1 - value - 1) == 2)
#define TBAND_IS_SWITCH(value) \
  (!TBAND_IS_EMPTY(value) && (((value + 0) == 0) || ((value + 0) == 1)))

/* Each check states the valid case, and #else ends the compilation: for a value that is not an expression, such as
 * `1;`, the compiler reports an error and takes the #if for false. */

/* ---- What the defaults below look at ---------------------------------------------------------- */

#if !defined(tband_configENABLE) || TBAND_IS_SWITCH(tband_configENABLE)
#else
#error "tband: tband_configENABLE must be 0 or 1. Put into tband_config.h:"
#error "    #define tband_configENABLE 1"
#include TBAND_STOP
#endif
#if !defined(tband_configENABLE) && defined(configTBAND_ENABLE)
#error "tband: configTBAND_ENABLE is not a macro of tband, whose macros begin with tband_config. Put into tband_config.h:"
#error "    #define tband_configENABLE 1"
#include TBAND_STOP
#endif
#if !defined(tband_configFORMAT) || !TBAND_IS_EMPTY(tband_configFORMAT)
#else
#error "tband: tband_configFORMAT must be TBAND_FORMAT_FRAMES or TBAND_FORMAT_PACKETS"
#include TBAND_STOP
#endif
#if !defined(tband_configFREERTOS_VERSION) || \
    (((tband_configFREERTOS_VERSION + 0) >= 10000) && ((tband_configFREERTOS_VERSION + 0) <= 999999))
#else
#error "tband: tband_configFREERTOS_VERSION must be a number: major * 10000 + minor * 100 + build. The kernel's own macros, as tskKERNEL_VERSION_NUMBER, are not known where it is read. For V11.2.0 put into tband_config.h:"
#error "    #define tband_configFREERTOS_VERSION 110200"
#include TBAND_STOP
#endif

/* ---- On or off -------------------------------------------------------------------------------- */

#if defined(tband_configENABLE)
#if tband_configENABLE != 0

#if !defined(tband_configUSE_BACKEND_STREAMING) || TBAND_IS_SWITCH(tband_configUSE_BACKEND_STREAMING)
#else
#error "tband: tband_configUSE_BACKEND_STREAMING must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configUSE_BACKEND_SNAPSHOT) || TBAND_IS_SWITCH(tband_configUSE_BACKEND_SNAPSHOT)
#else
#error "tband: tband_configUSE_BACKEND_SNAPSHOT must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configUSE_BACKEND_EXTERNAL) || TBAND_IS_SWITCH(tband_configUSE_BACKEND_EXTERNAL)
#else
#error "tband: tband_configUSE_BACKEND_EXTERNAL must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configUSE_BACKEND_POST_MORTEM) || TBAND_IS_SWITCH(tband_configUSE_BACKEND_POST_MORTEM)
#else
#error "tband: tband_configUSE_BACKEND_POST_MORTEM must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configMARKER_TRACE_ENABLE) || TBAND_IS_SWITCH(tband_configMARKER_TRACE_ENABLE)
#else
#error "tband: tband_configMARKER_TRACE_ENABLE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configISR_TRACE_ENABLE) || TBAND_IS_SWITCH(tband_configISR_TRACE_ENABLE)
#else
#error "tband: tband_configISR_TRACE_ENABLE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configUSE_METADATA_BUF) || TBAND_IS_SWITCH(tband_configUSE_METADATA_BUF)
#else
#error "tband: tband_configUSE_METADATA_BUF must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configTRACE_INFO_ENABLE) || TBAND_IS_SWITCH(tband_configTRACE_INFO_ENABLE)
#else
#error "tband: tband_configTRACE_INFO_ENABLE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configMEMORY_PROTECTION) || TBAND_IS_SWITCH(tband_configMEMORY_PROTECTION)
#else
#error "tband: tband_configMEMORY_PROTECTION must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configTICK_KEEPS_TIME) || TBAND_IS_SWITCH(tband_configTICK_KEEPS_TIME)
#else
#error "tband: tband_configTICK_KEEPS_TIME must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configFREERTOS_TRACE_ENABLE) || TBAND_IS_SWITCH(tband_configFREERTOS_TRACE_ENABLE)
#else
#error "tband: tband_configFREERTOS_TRACE_ENABLE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configFREERTOS_TASK_TRACE_ENABLE) || TBAND_IS_SWITCH(tband_configFREERTOS_TASK_TRACE_ENABLE)
#else
#error "tband: tband_configFREERTOS_TASK_TRACE_ENABLE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configFREERTOS_QUEUE_TRACE_ENABLE) || TBAND_IS_SWITCH(tband_configFREERTOS_QUEUE_TRACE_ENABLE)
#else
#error "tband: tband_configFREERTOS_QUEUE_TRACE_ENABLE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configFREERTOS_TASK_EXTRA_TRACE_ENABLE) || TBAND_IS_SWITCH(tband_configFREERTOS_TASK_EXTRA_TRACE_ENABLE)
#else
#error "tband: tband_configFREERTOS_TASK_EXTRA_TRACE_ENABLE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configFREERTOS_QUEUE_EXTRA_TRACE_ENABLE) || TBAND_IS_SWITCH(tband_configFREERTOS_QUEUE_EXTRA_TRACE_ENABLE)
#else
#error "tband: tband_configFREERTOS_QUEUE_EXTRA_TRACE_ENABLE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE) || TBAND_IS_SWITCH(tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE)
#else
#error "tband: tband_configFREERTOS_NOTIFICATION_TRACE_ENABLE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE) || TBAND_IS_SWITCH(tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE)
#else
#error "tband: tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE) || TBAND_IS_SWITCH(tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE)
#else
#error "tband: tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configFREERTOS_TIMER_TRACE_ENABLE) || TBAND_IS_SWITCH(tband_configFREERTOS_TIMER_TRACE_ENABLE)
#else
#error "tband: tband_configFREERTOS_TIMER_TRACE_ENABLE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configFREERTOS_HEAP_TRACE_ENABLE) || TBAND_IS_SWITCH(tband_configFREERTOS_HEAP_TRACE_ENABLE)
#else
#error "tband: tband_configFREERTOS_HEAP_TRACE_ENABLE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configFREERTOS_LOW_POWER_TRACE_ENABLE) || TBAND_IS_SWITCH(tband_configFREERTOS_LOW_POWER_TRACE_ENABLE)
#else
#error "tband: tband_configFREERTOS_LOW_POWER_TRACE_ENABLE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configFREERTOS_ISR_TRACE_ENABLE) || TBAND_IS_SWITCH(tband_configFREERTOS_ISR_TRACE_ENABLE)
#else
#error "tband: tband_configFREERTOS_ISR_TRACE_ENABLE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configFREERTOS_STACK_TRACE_ENABLE) || TBAND_IS_SWITCH(tband_configFREERTOS_STACK_TRACE_ENABLE)
#else
#error "tband: tband_configFREERTOS_STACK_TRACE_ENABLE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configFREERTOS_SCHEDULER_STEP_TRACE_ENABLE) || TBAND_IS_SWITCH(tband_configFREERTOS_SCHEDULER_STEP_TRACE_ENABLE)
#else
#error "tband: tband_configFREERTOS_SCHEDULER_STEP_TRACE_ENABLE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configFREERTOS_TICK_TRACE_ENABLE) || TBAND_IS_SWITCH(tband_configFREERTOS_TICK_TRACE_ENABLE)
#else
#error "tband: tband_configFREERTOS_TICK_TRACE_ENABLE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configFREERTOS_API_TRACE_ENABLE) || TBAND_IS_SWITCH(tband_configFREERTOS_API_TRACE_ENABLE)
#else
#error "tband: tband_configFREERTOS_API_TRACE_ENABLE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configALLOW_CONTROL) || TBAND_IS_SWITCH(tband_configALLOW_CONTROL)
#else
#error "tband: tband_configALLOW_CONTROL must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configALLOW_READ) || TBAND_IS_SWITCH(tband_configALLOW_READ)
#else
#error "tband: tband_configALLOW_READ must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configALLOW_WRITE) || TBAND_IS_SWITCH(tband_configALLOW_WRITE)
#else
#error "tband: tband_configALLOW_WRITE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configALLOW_INJECT) || TBAND_IS_SWITCH(tband_configALLOW_INJECT)
#else
#error "tband: tband_configALLOW_INJECT must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configUSE_MAILBOX) || TBAND_IS_SWITCH(tband_configUSE_MAILBOX)
#else
#error "tband: tband_configUSE_MAILBOX must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configTIME_IS_KEPT) || TBAND_IS_SWITCH(tband_configTIME_IS_KEPT)
#else
#error "tband: tband_configTIME_IS_KEPT must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configUSE_FILTERS) || TBAND_IS_SWITCH(tband_configUSE_FILTERS)
#else
#error "tband: tband_configUSE_FILTERS must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configUSE_SCHEDULER) || TBAND_IS_SWITCH(tband_configUSE_SCHEDULER)
#else
#error "tband: tband_configUSE_SCHEDULER must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configUSE_SHEDDING) || TBAND_IS_SWITCH(tband_configUSE_SHEDDING)
#else
#error "tband: tband_configUSE_SHEDDING must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configUSE_TRIGGERS) || TBAND_IS_SWITCH(tband_configUSE_TRIGGERS)
#else
#error "tband: tband_configUSE_TRIGGERS must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configTRUST_KERNEL_CRITICAL_SECTIONS) || TBAND_IS_SWITCH(tband_configTRUST_KERNEL_CRITICAL_SECTIONS)
#else
#error "tband: tband_configTRUST_KERNEL_CRITICAL_SECTIONS must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configCHECK_KERNEL_CRITICAL_SECTIONS) || TBAND_IS_SWITCH(tband_configCHECK_KERNEL_CRITICAL_SECTIONS)
#else
#error "tband: tband_configCHECK_KERNEL_CRITICAL_SECTIONS must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configUSE_RTT) || TBAND_IS_SWITCH(tband_configUSE_RTT)
#else
#error "tband: tband_configUSE_RTT must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configSTART_ON_READER) || TBAND_IS_SWITCH(tband_configSTART_ON_READER)
#else
#error "tband: tband_configSTART_ON_READER must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configRTT_SHARE) || TBAND_IS_SWITCH(tband_configRTT_SHARE)
#else
#error "tband: tband_configRTT_SHARE must be 0 or 1"
#include TBAND_STOP
#endif
#if !defined(tband_configALLOW_OWN_TRACE_MACROS) || TBAND_IS_SWITCH(tband_configALLOW_OWN_TRACE_MACROS)
#else
#error "tband: tband_configALLOW_OWN_TRACE_MACROS must be 0 or 1"
#include TBAND_STOP
#endif

#endif
#endif

#ifdef TBAND_HAS_DEFINED_yes
#undef yes
#undef TBAND_HAS_DEFINED_yes
#endif
#ifdef TBAND_HAS_DEFINED_YES
#undef YES
#undef TBAND_HAS_DEFINED_YES
#endif
#ifdef TBAND_HAS_DEFINED_on
#undef on
#undef TBAND_HAS_DEFINED_on
#endif
#ifdef TBAND_HAS_DEFINED_ON
#undef ON
#undef TBAND_HAS_DEFINED_ON
#endif
#ifdef TBAND_HAS_DEFINED_TRUE
#undef TRUE
#undef TBAND_HAS_DEFINED_TRUE
#endif
#ifdef TBAND_HAS_DEFINED_ENABLE
#undef ENABLE
#undef TBAND_HAS_DEFINED_ENABLE
#endif
#ifdef TBAND_HAS_DEFINED_ENABLED
#undef ENABLED
#undef TBAND_HAS_DEFINED_ENABLED
#endif

#endif /* TBAND_CONFIG_CHECK_H */
