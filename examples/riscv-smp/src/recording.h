/* The recording from start to file. All calls come from one task, except the start, which comes before the
 * scheduler. */
#ifndef RECORDING_H_
#define RECORDING_H_

#include <stdbool.h>

void recording_start(void);
/* Sends the recording so far to the file trace.bin, if it is a stream. */
void recording_send(void);
/* Returns false if it had ended already: a full snapshot. */
bool recording_stop(void);
/* After recording_stop(): saves the rest; a snapshot or post-mortem recording completely. */
void recording_save(void);

#endif /* RECORDING_H_ */
