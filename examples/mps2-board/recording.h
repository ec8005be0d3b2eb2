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
/* In a critical section if something else than the caller may record. False if it was off: a full
 * snapshot buffer stops a recording. */
bool recording_stop(void);
/* After recording_stop(): sends what is left, or writes the file trace.bin. */
bool recording_save(void);

/* Events that could not be recorded, names that found no room included. */
uint32_t recording_losses(void);

/* --- Streaming: the transport ------------------------------------------------------------- */

/* What tband_portBACKEND_STREAM_DATA fills, with frames. */
extern tband_ring recording_ring;

/* Gives the UART what it takes; call it often, from one place: the idle task or the main loop. */
void recording_uart_poll(void);

#endif /* RECORDING_H_ */
