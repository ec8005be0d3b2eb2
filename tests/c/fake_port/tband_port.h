/* A port for test programs on the host; fake_port.h describes its functions and counters.
 *
 * Tests put other port macros into tband_config.h, which comes first. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "fake_port.h"

#ifdef FAKE_COUNTER_BITS
#if (FAKE_COUNTER_BITS < 64) && !FAKE_COUNTER_IS_EXTENDED
#define tband_portTIMESTAMP() ((uint32_t)fake_counter(FAKE_COUNTER_BITS, false)) /* as a register */
#else
#define tband_portTIMESTAMP() fake_counter(FAKE_COUNTER_BITS, FAKE_COUNTER_IS_EXTENDED)
#endif
#if FAKE_COUNTER_IS_EXTENDED
#define tband_portTIMESTAMP_IS_EXTENDED 1
#endif
#ifdef FAKE_COUNTER_IS_RAW
#define tband_portTIMESTAMP_RAW() ((uint32_t)fake_timestamp())
#endif
#endif
#ifndef tband_portTIMESTAMP
#define tband_portTIMESTAMP() fake_timestamp()
#endif
#if !defined(tband_portTIMESTAMP_RESOLUTION_NS) && !defined(tband_portTIMESTAMP_FREQUENCY_HZ)
#define tband_portTIMESTAMP_RESOLUTION_NS (10)
#endif

#define tband_portENTER_CRITICAL_FROM_ANY() const int fake_before = fake_enter()
#define tband_portEXIT_CRITICAL_FROM_ANY() fake_exit(fake_before)

#ifndef tband_portNUMBER_OF_CORES
#define tband_portNUMBER_OF_CORES 1
#endif
#ifndef tband_portGET_CORE_ID
#define tband_portGET_CORE_ID() fake_core_id()
#endif

#ifdef FAKE_LOCK
#define tband_portSPIN_LOCK() fake_lock()
#define tband_portSPIN_UNLOCK() fake_unlock()
#endif

#ifndef FAKE_HAS_NO_TRANSPORT
#define tband_portBACKEND_STREAM_DATA(buf, len) fake_send((buf), (len))
#endif
#define tband_portBACKEND_SNAPSHOT_BUF_FULL_CALLBACK() fake_snapshot_full()

#endif
