/* Starts the recording of both cores, and sends it. */
#ifndef RECORDING_H_
#define RECORDING_H_

/** Starts recording, before the scheduler runs; with streaming also creates the task that sends. */
void recording_start(void);

#endif /* RECORDING_H_ */
