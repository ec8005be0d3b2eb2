/*
 * Functions after tband_port.h, and those the program itself calls: open and
 * close the file that a streaming recording goes to.
 *
 * Usable under any -std (no POSIX types appear here) and from C++.
 */
#ifndef TBAND_POSIX_H_
#define TBAND_POSIX_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- For the program --------------------------------------------------------- */

/*
 * Creates (or empties) the file at `path` and sends the stream there. Call it
 * before tband_start_streaming(). A FIFO or /dev/stdout will do as well.
 * Returns 0, -EBUSY when a file is already open, -EINVAL when `path` is NULL,
 * else the negated errno of open(2).
 */
int tband_posix_open(const char *path);

/*
 * Writes the buffered bytes to the file. Returns 0 or the negated errno of
 * write(2); the rest stays buffered then. Safe in a signal handler. Must not
 * run at the same time as an event is recorded: call it while tracing is off,
 * or with all signals blocked in the thread that runs the current task.
 */
int tband_posix_flush(void);

/*
 * Flushes and closes. Call it after tband_stop_streaming(). Returns 0, -EBADF
 * when no file is open, else the negated errno of the first write(2) or
 * close(2) that failed since the file was opened. The file is closed in any case.
 */
int tband_posix_close(void);

/* Frames refused since the last open (no file, or no room and write failed). */
uint32_t tband_posix_refused_frames(void);

/* Whether a snapshot buffer was full since the program started. */
bool tband_posix_snapshot_was_full(void);

/* --- For tband_port.h --------------------------------------------------------- */

/* Room for a sigset_t; its real type would need POSIX feature macros here. */
struct tband_posix_sigmask {
  uint64_t opaque[16];
};

uint64_t tband_posix_timestamp(void);
void tband_posix_block_signals(struct tband_posix_sigmask *saved);
void tband_posix_restore_signals(const struct tband_posix_sigmask *saved);
/* Takes a frame as a whole (false) or not at all (true). */
bool tband_posix_stream_data(const void *buf, size_t len);
void tband_posix_note_snapshot_full(void);

#ifdef __cplusplus
}
#endif

#endif /* TBAND_POSIX_H_ */
