/* tband on the simulated cores: nothing interrupts its critical section, and time is a count. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint64_t program_now(void);
bool program_store(const uint8_t *data, size_t len);

#define tband_portTIMESTAMP() program_now()
#define tband_portTIMESTAMP_RESOLUTION_NS 1000
#define tband_portENTER_CRITICAL_FROM_ANY() ((void)0)
#define tband_portEXIT_CRITICAL_FROM_ANY() ((void)0)
#define tband_portNUMBER_OF_CORES configNUMBER_OF_CORES
#define tband_portGET_CORE_ID() portGET_CORE_ID()
#define tband_portBACKEND_STREAM_DATA(buf, len) program_store((buf), (len))

#endif
