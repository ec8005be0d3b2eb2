/* A port whose cores are threads: each is one core, that nothing interrupts. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern _Thread_local uint32_t threads_core;
uint64_t threads_time(void);
bool threads_send(const uint8_t *data, size_t len);

#define tband_portTIMESTAMP() threads_time()
#define tband_portTIMESTAMP_RESOLUTION_NS 1
#define tband_portENTER_CRITICAL_FROM_ANY() ((void)0)
#define tband_portEXIT_CRITICAL_FROM_ANY() ((void)0)
#define tband_portNUMBER_OF_CORES 2
#define tband_portGET_CORE_ID() threads_core
#define tband_portBACKEND_STREAM_DATA(buf, len) threads_send((buf), (len))

#endif
