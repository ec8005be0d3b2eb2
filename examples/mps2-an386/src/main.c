/*
 * mps2-an386: runs the application of ../freertos-app on a Cortex-M4F. This file
 * starts, stops and saves the recording, and has the kernel's callbacks.
 *
 * Order: tracing starts first, so that the creation of every object is recorded;
 * the application's control task stops it after all other tasks have ended, and
 * writes the files.
 */
#include "app.h"
#include "board.h"
#include "recording.h"
#include "semihost.h"

enum { EXIT_FILES = 2, EXIT_LOSSES = 4 }; /* 1: assertion, 3: fault */

_Static_assert(APP_ROUNDS >= 1 && APP_ROUNDS <= REC_MAX_ROUNDS, "APP_ROUNDS must be 1 to 200");
unsigned app_rounds = APP_ROUNDS;

static bool stopped_cleanly;

void app_stop_tracing(void) {
  rec_freeze();
  stopped_cleanly = recording_stop();
}

/* --- The end: files for the host ---------------------------------------------------------- */

static int truth_file;

static bool put_truth(const char *text, size_t len) {
  return semihost_write(truth_file, text, len);
}

static bool save_truth(void) {
  truth_file = semihost_create("truth.json");
  return truth_file >= 0 && rec_write_truth(put_truth, recording_backend, recording_losses()) &&
         semihost_close(truth_file);
}

void app_finished(void) {
  if (!recording_save() || !save_truth()) {
    semihost_print("mps2-an386: the files could not be written\n");
    semihost_exit(EXIT_FILES);
  }
  if (!stopped_cleanly || recording_losses() > 0) {
    semihost_print("mps2-an386: the recording is incomplete\n");
    semihost_exit(EXIT_LOSSES);
  }
  semihost_exit(0);
}

/* --- The kernel's callbacks ----------------------------------------------------------------- */

void vApplicationIdleHook(void);
void vApplicationMallocFailedHook(void);
void vApplicationStackOverflowHook(TaskHandle_t task, char *name);

void vApplicationIdleHook(void) { recording_uart_poll(); }

void vApplicationMallocFailedHook(void) { configASSERT(!"out of heap"); }

void vApplicationStackOverflowHook(TaskHandle_t task, char *name) {
  (void)task;
  (void)name;
  configASSERT(!"stack overflow");
}

int main(void) {
#ifdef COUNTER_START
  BOARD_COUNTER = COUNTER_START;
#endif
  configASSERT(recording_start());
  app_create_objects();
  app_create_tasks();
  vTaskStartScheduler();
  configASSERT(!"the scheduler has ended");
  return 1;
}
