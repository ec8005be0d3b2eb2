/*
 * tband port for the FreeRTOS POSIX port: clock, signal mask and output file.
 * Called by the recorder in tasks and in signal handlers, with all signals of
 * the thread blocked; only async-signal-safe calls, and errno is kept.
 *
 * Invariant: a frame enters the buffer completely or is refused. What write(2)
 * leaves over stays at the front of the buffer and goes out first, so the file
 * never holds half a frame with another one after it.
 */
#define _POSIX_C_SOURCE 200809L

#include "tband_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Bytes held back at most; bounds the loss when the file takes no more. At least
 * tband_configMETADATA_BUF_SIZE, which a starting stream hands over as a whole. */
#ifndef tband_posixBUFFER_SIZE
#define tband_posixBUFFER_SIZE 65536u
#endif

/* Bytes after which the buffer is written; 1 writes every frame at once. */
#ifndef tband_posixWRITE_AT
#define tband_posixWRITE_AT 4096u
#endif

_Static_assert(sizeof(sigset_t) <= sizeof(struct tband_posix_sigmask),
               "struct tband_posix_sigmask is too small for this system's sigset_t");
_Static_assert(tband_posixWRITE_AT <= tband_posixBUFFER_SIZE,
               "tband_posixWRITE_AT must not exceed tband_posixBUFFER_SIZE");

static struct {
  int fd; /* valid only while is_open */
  bool is_open;
  int first_error;
  size_t fill;
  uint32_t refused;
  uint8_t buf[tband_posixBUFFER_SIZE];
} out;

static atomic_bool snapshot_full;

/* --- Clock ---------------------------------------------------------------------- */

uint64_t tband_posix_timestamp(void) {
  static _Atomic uint64_t epoch;
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t); /* cannot fail with these arguments */
  const uint64_t now = (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;

  uint64_t start = atomic_load(&epoch);
  if (start == 0 && atomic_compare_exchange_strong(&epoch, &start, now)) {
    start = now;
  }
  return now > start ? now - start : 0;
}

/* --- Critical section ------------------------------------------------------------- */

void tband_posix_block_signals(struct tband_posix_sigmask *saved) {
  sigset_t all, before;
  (void)sigfillset(&all);
  (void)pthread_sigmask(SIG_BLOCK, &all, &before);
  memcpy(saved, &before, sizeof before);
}

void tband_posix_restore_signals(const struct tband_posix_sigmask *saved) {
  sigset_t before;
  memcpy(&before, saved, sizeof before);
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* --- Output ------------------------------------------------------------------------ */

/* Returns 0 when the buffer is empty afterwards, else the errno. */
static int write_out(void) {
  size_t done = 0;
  int error = 0;
  while (done < out.fill) {
    const ssize_t n = write(out.fd, out.buf + done, out.fill - done);
    if (n >= 0) {
      done += (size_t)n;
    } else if (errno != EINTR) {
      error = errno;
      break;
    }
  }
  out.fill -= done;
  memmove(out.buf, out.buf + done, out.fill);
  if (error != 0 && out.first_error == 0 && error != EAGAIN) {
    out.first_error = error;
  }
  return error;
}

bool tband_posix_stream_data(const void *buf, size_t len) {
  const int saved_errno = errno;
  bool taken = false;
  if (out.is_open && len <= sizeof out.buf) {
    if (len > sizeof out.buf - out.fill) {
      (void)write_out();
    }
    if (len <= sizeof out.buf - out.fill) {
      memcpy(out.buf + out.fill, buf, len);
      out.fill += len;
      taken = true;
      if (out.fill >= tband_posixWRITE_AT) {
        (void)write_out();
      }
    }
  }
  if (!taken) {
    out.refused++;
  }
  errno = saved_errno;
  return !taken;
}

int tband_posix_open(const char *path) {
  if (path == NULL) {
    return -EINVAL;
  }
  if (out.is_open) {
    return -EBUSY;
  }
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) {
    return -errno;
  }
  out.fd = fd;
  out.first_error = 0;
  out.fill = 0;
  out.refused = 0;
  out.is_open = true;
  return 0;
}

int tband_posix_flush(void) {
  if (!out.is_open) {
    return 0;
  }
  const int saved_errno = errno;
  const int error = write_out();
  errno = saved_errno;
  return -error;
}

int tband_posix_close(void) {
  if (!out.is_open) {
    return -EBADF;
  }
  int error = write_out();
  if (out.first_error != 0) {
    error = out.first_error;
  }
  if (close(out.fd) != 0 && error == 0) {
    error = errno;
  }
  out.is_open = false;
  out.fill = 0;
  return -error;
}

uint32_t tband_posix_refused_frames(void) { return out.refused; }

/* --- Snapshot ------------------------------------------------------------------------ */

void tband_posix_note_snapshot_full(void) { atomic_store(&snapshot_full, true); }

bool tband_posix_snapshot_was_full(void) { return atomic_load(&snapshot_full); }
