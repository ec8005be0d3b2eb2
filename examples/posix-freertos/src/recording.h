/*
 * A recording into a file, for both backends: streaming writes while the program
 * runs, snapshot at the end. Problems are printed to stderr.
 */
#ifndef RECORDING_H_
#define RECORDING_H_

#include <stdbool.h>

/* "streaming" or "snapshot". */
extern const char recording_backend[];

/* False if the file cannot be opened or recording does not start. */
bool recording_start(const char *path);

/* Fails when a full buffer has stopped the recording already. Callable in a critical section. */
bool recording_stop(void);

/* Writes the remaining bytes to the file, and closes it. Call it after the scheduler has
 * returned. */
bool recording_save(const char *path);

/* Returns whether the recording is complete; call it last, with the return value of
 * recording_stop(). */
bool recording_is_whole(bool stopped_cleanly);

#endif /* RECORDING_H_ */
