/*
 * posix-freertos: runs the application of ../freertos-app on Linux. This file
 * starts, stops and saves the recording, and reads the command line.
 *
 * Order: tracing starts first, so that the creation of every object is recorded;
 * the application's control task stops it after all other tasks have ended; the
 * files are written when the scheduler has returned.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "tband_posix.h"

enum { DEFAULT_ROUNDS = 20 };
enum { EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_LOSSES = 3 };

#if tband_configUSE_BACKEND_SNAPSHOT
static const char backend[] = "snapshot";
#else
static const char backend[] = "streaming";
#endif

unsigned app_rounds = DEFAULT_ROUNDS;

static bool stopped_cleanly;

/* --- Tracing: streaming into a file ------------------------------------------------ */

#if !tband_configUSE_BACKEND_SNAPSHOT

static bool start_tracing(const char *path) {
  const int error = tband_posix_open(path);
  if (error != 0) {
    fprintf(stderr, "posix-freertos: cannot open %s: %s\n", path, strerror(-error));
    return false;
  }
  return tband_start_streaming() == 0;
}

static bool stop_tracing(void) { return tband_stop_streaming() == 0; }

/* The recording is in the file already, but for what is still buffered. */
static bool save_recording(const char *path) {
  const int error = tband_posix_close();
  if (error != 0) {
    fprintf(stderr, "posix-freertos: cannot write %s: %s\n", path, strerror(-error));
  }
  return error == 0;
}

/* --- Tracing: a snapshot in memory, saved at the end --------------------------------- */

#else

static bool start_tracing(const char *path) {
  (void)path;
  return tband_trigger_snapshot() == 0;
}

/* Fails when a full buffer has stopped the recording already. */
static bool stop_tracing(void) { return tband_stop_snapshot() == 0; }

#if TBAND_USES_PACKETS
/* Metadata comes out with the packets. */
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

static bool save_recording(const char *path) {
  FILE *f = fopen(path, "wb");
  bool ok = f != NULL && put_recording(f);
  if (f != NULL && fclose(f) != 0) {
    ok = false;
  }
  if (!ok) {
    fprintf(stderr, "posix-freertos: cannot write %s: %s\n", path, strerror(errno));
  }
  return ok;
}

#endif

void app_stop_tracing(void) {
  rec_freeze();
  stopped_cleanly = stop_tracing();
}

/* vTaskStartScheduler() returns in main(); the calling task's thread stays blocked. */
void app_finished(void) { vTaskEndScheduler(); }

/* --- The program's own record ---------------------------------------------------------- */

static FILE *truth_file;

static bool put_truth(const char *text, size_t len) {
  return fwrite(text, 1, len, truth_file) == len;
}

static bool save_truth(const char *path, uint32_t refused_frames) {
  truth_file = fopen(path, "w");
  bool ok = truth_file != NULL && rec_write_truth(put_truth, backend, refused_frames);
  if (truth_file != NULL && fclose(truth_file) != 0) {
    ok = false;
  }
  if (!ok) {
    fprintf(stderr, "posix-freertos: cannot write %s: %s\n", path, strerror(errno));
  }
  return ok;
}

/* --- Command line ------------------------------------------------------------------------ */

static _Noreturn void usage(const char *problem, const char *arg) {
  if (problem != NULL) {
    fprintf(stderr, "posix-freertos: %s: %s\n", problem, arg);
  }
  fprintf(problem != NULL ? stderr : stdout,
          "usage: posix-freertos [--out trace.bin] [--truth truth.json] [--rounds N]\n"
          "Records itself for about N * 50 ms (N from 1 to %d, default %d).\n",
          (int)REC_MAX_ROUNDS, (int)DEFAULT_ROUNDS);
  exit(problem != NULL ? EXIT_USAGE : EXIT_SUCCESS);
}

int main(int argc, char **argv) {
  const char *out = "trace.bin";
  const char *truth = "truth.json";
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) {
      usage(NULL, NULL);
    }
    const char *option = argv[i];
    const bool known = strcmp(option, "--out") == 0 || strcmp(option, "--truth") == 0 ||
                       strcmp(option, "--rounds") == 0;
    if (!known) {
      usage("unknown argument", option);
    }
    if (++i == argc) {
      usage("missing value", option);
    }
    if (strcmp(option, "--out") == 0) {
      out = argv[i];
    } else if (strcmp(option, "--truth") == 0) {
      truth = argv[i];
    } else {
      char *end;
      const unsigned long n = strtoul(argv[i], &end, 10);
      if (argv[i][0] < '0' || argv[i][0] > '9' || *end != '\0' || n < 1 || n > REC_MAX_ROUNDS) {
        usage("not a number of rounds", argv[i]);
      }
      app_rounds = (unsigned)n;
    }
  }

  if (!start_tracing(out)) {
    fprintf(stderr, "posix-freertos: tracing did not start\n");
    return EXIT_FAILED;
  }
  app_create_objects();
  app_create_tasks();
  vTaskStartScheduler(); /* returns after vTaskEndScheduler() */

  const bool saved = save_recording(out);
  const uint32_t refused = tband_posix_refused_frames();
  if (!save_truth(truth, refused) || !saved) {
    return EXIT_FAILED;
  }
  if (tband_posix_snapshot_was_full()) {
    fprintf(stderr, "posix-freertos: the snapshot buffer was too small, the recording stops early\n");
    return EXIT_LOSSES;
  }
  const uint32_t unnamed = tband_get_metadata_dropped_cnt(0);
  if (!stopped_cleanly || refused > 0 || unnamed > 0) {
    fprintf(stderr,
            "posix-freertos: the recording is incomplete: %" PRIu32
            " pieces refused by the file, %" PRIu32 " did not fit the metadata buffer\n",
            refused, unnamed);
    return EXIT_LOSSES;
  }
  printf("%u rounds recorded (%s) into %s, own record in %s\n", app_rounds, backend, out, truth);
  return EXIT_SUCCESS;
}
