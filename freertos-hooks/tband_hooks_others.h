/* Another recorder that defines the kernel's trace macros, which can have only one definition. One error instead of a
 * warning per macro: from tband.h if the other header came first, and from tband_freertos.c if it came later. */
#undef TBAND_OTHER_RECORDER
#if defined(TRC_KERNEL_PORT_H) && defined(TRC_USE_TRACEALYZER_RECORDER)
#if TRC_USE_TRACEALYZER_RECORDER == 1
#define TBAND_OTHER_RECORDER 1
#endif
#elif defined(SYSVIEW_FREERTOS_H)
#define TBAND_OTHER_RECORDER 1
#elif defined(FREERTOS_EVR_H_) && (defined(RTE_Compiler_EventRecorder) || defined(RTE_CMSIS_View_EventRecorder))
#define TBAND_OTHER_RECORDER 1
#elif !defined(TBAND_HOOKS_NAMES_H) && defined(traceTASK_SWITCHED_IN) && defined(traceTASK_CREATE) && defined(traceQUEUE_SEND)
/* A recorder that is not known by name. A program defines only a few macros itself. */
#define TBAND_OTHER_RECORDER 1
#endif

#ifdef TBAND_OTHER_RECORDER
#if defined(TRC_KERNEL_PORT_H)
#error "tband: TraceRecorder (trcRecorder.h) and tband are in one build, and both define the kernel's trace macros. Keep one:"
#elif defined(SYSVIEW_FREERTOS_H)
#error "tband: SystemView (SEGGER_SYSVIEW_FreeRTOS.h) and tband are in one build, and both define the kernel's trace macros. Keep one:"
#elif defined(FREERTOS_EVR_H_)
#error "tband: CMSIS Event Recorder (freertos_evr.h) and tband are in one build, and both define the kernel's trace macros. Keep one:"
#else
#error "tband: FreeRTOSConfig.h includes another recorder before tband.h, and both define the kernel's trace macros. Keep one:"
#endif
#error "    leave its header out of FreeRTOSConfig.h; or put into tband_config.h, for the other recorder and your own markers in tband:"
#error "    #define tband_configFREERTOS_TRACE_ENABLE 0"
#include TBAND_STOP
#endif
