/* Starts, stops and saves a recording, with the backend that the program is built with. See recording.h. */
#include "recording.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "FreeRTOS.h"
#include "tband_posix.h"

#if tband_configUSE_BACKEND_SNAPSHOT
const char recording_backend[] = "snapshot";
#else
const char recording_backend[] = "streaming";
#endif

/* --- Tracing: streaming into a file ------------------------------------------------ */

#if !tband_configUSE_BACKEND_SNAPSHOT

bool recording_start(const char *path) {
  const int error = tband_posix_open(path);
  if (error != 0) {
    fprintf(stderr, "cannot open %s: %s\n", path, strerror(-error));
    return false;
  }
  return tband_start_streaming() == 0;
}

bool recording_stop(void) { return tband_stop_streaming() == 0; }

/* The recording is in the file already, except for buffered bytes. */
bool recording_save(const char *path) {
  const int error = tband_posix_close();
  if (error != 0) {
    fprintf(stderr, "cannot write %s: %s\n", path, strerror(-error));
  }
  return error == 0;
}

/* --- Tracing: a snapshot in memory, saved at the end --------------------------------- */

#else

bool recording_start(const char *path) {
  (void)path;
  return tband_trigger_snapshot() == 0;
}

/* Fails when a full buffer has stopped the recording already. */
bool recording_stop(void) { return tband_stop_snapshot() == 0; }

#if TBAND_USES_PACKETS
/* Packets include the metadata. */
static bool put_recording(FILE *f) {
  static uint8_t bytes[4096];
  size_t len;
  while ((len = tband_stream_read(bytes, sizeof bytes)) > 0) {
    if (fwrite(bytes, 1, len, f) != len) {
      return false;
    }
  }
  return true;
}
#else
static bool put(FILE *f, const volatile uint8_t *bytes, size_t amount) {
  for (size_t i = 0; i < amount; i++) {
    if (fputc(bytes[i], f) == EOF) {
      return false;
    }
  }
  return true;
}

/* The metadata comes first: a reader needs the names before the events. The POSIX port has one core. */
static bool put_recording(FILE *f) {
  return put(f, tband_get_metadata_buf(0), tband_get_metadata_buf_amnt(0)) &&
         put(f, tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
}
#endif

bool recording_save(const char *path) {
  FILE *f = fopen(path, "wb");
  bool ok = f != NULL && put_recording(f);
  if (f != NULL && fclose(f) != 0) {
    ok = false;
  }
  if (!ok) {
    fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno));
  }
  return ok;
}

#endif

bool recording_is_whole(bool stopped_cleanly) {
  if (tband_posix_snapshot_was_full()) {
    fprintf(stderr, "the snapshot buffer was too small, the recording stops early\n");
    return false;
  }
  const uint32_t refused = tband_posix_refused_frames();
  const uint32_t unnamed = tband_get_metadata_dropped_cnt(0);
  if (!stopped_cleanly || refused > 0 || unnamed > 0) {
    fprintf(stderr,
            "the recording is incomplete: %" PRIu32
            " pieces refused by the file, %" PRIu32 " did not fit the metadata buffer\n",
            refused, unnamed);
    return false;
  }
  return true;
}
