/* sensor-pipeline: records the pipeline for about 0.7 s. usage: sensor-pipeline [trace.bin] */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pipeline.h"
#include "recording.h"

static bool stopped_cleanly;

static void supervisor(void *unused) {
  (void)unused;
  do { /* longer only where this machine has no time for us */
    vTaskDelay(RUN_FOR);
  } while (!pipeline_has_shown_all());
  vTaskDelay(RUN_FOR / 10); /* the stack is looked at again */
  taskENTER_CRITICAL();
  stopped_cleanly = recording_stop();
  taskEXIT_CRITICAL();
  vTaskEndScheduler();
  for (;;) { /* returns now and then, if the main thread is before this one */
    (void)pause();
  }
}

int main(int argc, char **argv) {
  const char *const out = argc > 1 ? argv[1] : "trace.bin";
  if (argc > 2) {
    fprintf(stderr, "usage: sensor-pipeline [trace.bin]\n");
    return EXIT_FAILURE;
  }
  if (!recording_start(out)) {
    fprintf(stderr, "sensor-pipeline: recording did not start\n");
    return EXIT_FAILURE;
  }
  pipeline_create();
  (void)xTaskCreate(supervisor, "supervisor", configMINIMAL_STACK_SIZE, NULL, 7, NULL);
  vTaskStartScheduler(); /* returns after vTaskEndScheduler() */
  if (!recording_save(out) || !recording_is_whole(stopped_cleanly)) {
    return EXIT_FAILURE;
  }
  printf("recorded into %s\n", out);
  return EXIT_SUCCESS;
}
