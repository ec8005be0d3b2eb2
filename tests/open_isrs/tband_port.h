/* The port of the test: a critical section that keeps the simulated interrupts out, and reports the order of
 * the sections. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint64_t port_timestamp(void);
bool port_mask(void);
void port_unmask(bool was_masked);
bool port_send(const uint8_t *data, size_t len);

#define tband_portTIMESTAMP() port_timestamp()
#define tband_portTIMESTAMP_RESOLUTION_NS 1
#define tband_portENTER_CRITICAL_FROM_ANY() const bool port_was_masked = port_mask()
#define tband_portEXIT_CRITICAL_FROM_ANY() port_unmask(port_was_masked)
#define tband_portBACKEND_STREAM_DATA(data, len) port_send((data), (len))

#define tband_portNUMBER_OF_CORES TEST_CORES
extern uint32_t port_core;
#define tband_portGET_CORE_ID() port_core

#endif
