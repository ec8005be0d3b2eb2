/* Checks that the port defines everything it must, and reports everything that is missing at once. Part of the shim,
 * after tband_port.h. */
#if defined(TBAND_SHIM) && !defined(TBAND_PORT_CHECK_H)
#define TBAND_PORT_CHECK_H

#if defined(TBAND_PORT_MISSING) && !defined(tband_portTIMESTAMP)
#error "tband: tband_port.h was not found. Copy the one for your chip from tband's folder port/, or port/template/tband_port.h, to where your tband_config.h is, and put that folder on the include path."
#endif

#ifndef tband_portTIMESTAMP
#error "tband: the port does not define tband_portTIMESTAMP(). Put into tband_port.h:"
#error "    #define tband_portTIMESTAMP() my_timer_ticks()   /* uint64_t, never steps back */"
#define TBAND_PORT_IS_INCOMPLETE 1
#endif

#if !defined(tband_portTIMESTAMP_FREQUENCY_HZ) && !defined(tband_portTIMESTAMP_RESOLUTION_NS)
#error "tband: the port does not define tband_portTIMESTAMP_FREQUENCY_HZ. Put into tband_port.h:"
#error "    #define tband_portTIMESTAMP_FREQUENCY_HZ 64000000   /* timer ticks per second */"
#define TBAND_PORT_IS_INCOMPLETE 1
#endif

#if !defined(tband_portENTER_CRITICAL_FROM_ANY) || !defined(tband_portEXIT_CRITICAL_FROM_ANY)
#error "tband: the port does not define its critical section. Put into tband_port.h, for Cortex-M:"
#error "    #define tband_portENTER_CRITICAL_FROM_ANY() uint32_t tband_mask = my_disable_interrupts()"
#error "    #define tband_portEXIT_CRITICAL_FROM_ANY()  my_restore_interrupts(tband_mask)"
#define TBAND_PORT_IS_INCOMPLETE 1
#endif

/* Packets may be taken by other means. */
#if tband_configUSE_BACKEND_STREAMING && !TBAND_USES_PACKETS && !defined(tband_portBACKEND_STREAM_DATA)
#error "tband: the streaming backend has nowhere to send data. Put into tband_port.h:"
#error "    #define tband_portBACKEND_STREAM_DATA(buf, len) my_send((buf), (len))   /* true = dropped */"
#define TBAND_PORT_IS_INCOMPLETE 1
#endif

/* Each core writes to its own state without a lock, so a core with the wrong number would destroy a recording. */
#if !defined(tband_portNUMBER_OF_CORES) && tband_configFREERTOS_TRACE_ENABLE && defined(configNUMBER_OF_CORES)
#if configNUMBER_OF_CORES > 1
#error "tband: the kernel runs on more cores than the port records, which is 1. Put into tband_port.h:"
#error "    #define tband_portNUMBER_OF_CORES configNUMBER_OF_CORES"
#ifndef tband_portGET_CORE_ID
#error "    #define tband_portGET_CORE_ID() portGET_CORE_ID()"
#endif
#define TBAND_PORT_IS_INCOMPLETE 1
#endif
#elif defined(tband_portNUMBER_OF_CORES) && !defined(tband_portGET_CORE_ID)
#if tband_portNUMBER_OF_CORES > 1
#error "tband: the port has several cores, and does not say which one it runs on. Put into tband_port.h:"
#if tband_configFREERTOS_TRACE_ENABLE && defined(configNUMBER_OF_CORES)
#error "    #define tband_portGET_CORE_ID() portGET_CORE_ID()"
#else
#error "    #define tband_portGET_CORE_ID() my_core_number()   /* 0 to tband_portNUMBER_OF_CORES - 1 */"
#endif
#define TBAND_PORT_IS_INCOMPLETE 1
#endif
#endif

#ifdef TBAND_PORT_IS_INCOMPLETE
#include TBAND_STOP
#endif

#endif /* TBAND_PORT_CHECK_H */
