/*
 * posix-freertos: runs the application of ../freertos-app on Linux. This file
 * starts, stops and saves the recording, and reads the command line.
 *
 * Order: tracing starts first, so that the creation of every object is recorded;
 * the application's control task stops it after all other tasks have ended; the
 * files are written when the scheduler has returned.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "recording.h"
#include "tband_posix.h"

enum { DEFAULT_ROUNDS = 20 };
enum { EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_LOSSES = 3 };

unsigned app_rounds = DEFAULT_ROUNDS;

static bool stopped_cleanly;

void app_stop_tracing(void) {
  rec_freeze();
  stopped_cleanly = recording_stop();
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
  bool ok = truth_file != NULL && rec_write_truth(put_truth, recording_backend, refused_frames);
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

  if (!recording_start(out)) {
    fprintf(stderr, "posix-freertos: tracing did not start\n");
    return EXIT_FAILED;
  }
  app_create_objects();
  app_create_tasks();
  vTaskStartScheduler(); /* returns after vTaskEndScheduler() */

  const bool saved = recording_save(out);
  const uint32_t refused = tband_posix_refused_frames();
  if (!save_truth(truth, refused) || !saved) {
    return EXIT_FAILED;
  }
  if (!recording_is_whole(stopped_cleanly)) {
    return EXIT_LOSSES;
  }
  printf("%u rounds recorded (%s) into %s, own record in %s\n", app_rounds, recording_backend, out, truth);
  return EXIT_SUCCESS;
}
