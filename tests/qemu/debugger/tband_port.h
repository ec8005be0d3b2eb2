/* One core that may say it is another, and a time that counts events. */
#include <stdint.h>

#include "tband_ring.h"

extern uint32_t now;
extern volatile uint32_t current_core;
extern tband_ring ring;

/* Nothing interrupts here. */
#define tband_portENTER_CRITICAL_FROM_ANY() ((void)0)
#define tband_portEXIT_CRITICAL_FROM_ANY() ((void)0)
#define tband_portTIMESTAMP() ((uint64_t)now++)
#if defined(RUN_TIME_HZ) /* a clock that is set up at run time, as SystemCoreClock of CMSIS */
extern volatile uint32_t clock_hz;
#define tband_portTIMESTAMP_FREQUENCY_HZ clock_hz
#else
#define tband_portTIMESTAMP_FREQUENCY_HZ 1000000
#endif
#if defined(CORES)
#define tband_portNUMBER_OF_CORES CORES
#define tband_portGET_CORE_ID() current_core
#endif
#if !defined(PACKETS)
#define tband_portBACKEND_STREAM_DATA(buf, len) tband_ring_put(&ring, (buf), (len))
#endif
