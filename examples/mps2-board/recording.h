/*
 * A recording from start to file, the same calls for both backends: streaming
 * goes over UART0 while the program runs, a snapshot is written to a file by
 * semihosting at the end.
 */
#ifndef RECORDING_H_
#define RECORDING_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tband_ring.h"

/* "streaming" or "snapshot". */
extern const char recording_backend[];

bool recording_start(void);
/* Call it in a critical section if other code than the caller may record. Returns false if
 * recording was off: a full snapshot buffer stops a recording. */
bool recording_stop(void);
/* After recording_stop(): sends the rest, or writes the file trace.bin. */
bool recording_save(void);

/* Number of events that could not be recorded, including names that did not fit. */
uint32_t recording_losses(void);

/* --- Streaming: the transport ------------------------------------------------------------- */

/* The ring that tband_portBACKEND_STREAM_DATA fills, with frames. */
extern tband_ring recording_ring;

/* Gives the UART as many bytes as it takes; call it often, from one place: the idle task or the
 * main loop. */
void recording_uart_poll(void);

#endif /* RECORDING_H_ */
