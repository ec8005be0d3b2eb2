/* The recording from start to file. All from one task, but for the start, which comes before the scheduler. */
#ifndef RECORDING_H_
#define RECORDING_H_

#include <stdbool.h>

void recording_start(void);
/* Sends what has been recorded so far to the file trace.bin, if it is a stream. */
void recording_send(void);
/* False if it had ended by itself: a full snapshot. */
bool recording_stop(void);
/* After recording_stop(): what is left; a snapshot or post-mortem recording as a whole. */
void recording_save(void);

#endif /* RECORDING_H_ */
