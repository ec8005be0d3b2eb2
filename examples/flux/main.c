/* A program on this machine that writes its signals as flux, and a recording of tband with the same times.
 *
 * flux VERSION KIND: version 6 or 4 of the format; `linear` writes signals.recTr continuously, `ring` keeps the newest
 * samples and writes them at the end. Also writes recording.bin. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "signals.h"
#include "tband.h"
#define TBAND_FLUX_FILES
#include "tband_flux_handlers.h"

enum { STEPS = 60, MAX_ENTRY = 64, SLOT = 192, KEPT = 512 };

static uint64_t now;

uint64_t machine_now(void) { return now; }

/* All memory there is. A firmware has it as static memory too. */
static uint8_t memory[KEPT + 4 * SLOT];
static tband_flux_buffer buffer;
static tband_flux_trace trace;
static tband_flux_item items[ITEM_LAST + 1];
static tband_flux_sequence sequences[1];

static int save_recording(void) {
  FILE *const file = fopen("recording.bin", "wb");
  if (file == NULL) {
    return -1;
  }
  uint8_t bytes[512];
  for (size_t len; (len = tband_stream_read(bytes, sizeof bytes)) > 0U;) {
    (void)fwrite(bytes, 1, len, file);
  }
  return fclose(file);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: flux 6|4 linear|ring\n");
    return 2;
  }
  FILE *const file = fopen("signals.recTr", "wb");
  if (file == NULL) {
    perror("signals.recTr");
    return 1;
  }
  const int32_t is_set_up =
      (strcmp(argv[2], "ring") == 0)
          ? tband_flux_ring(&buffer, memory, sizeof memory, KEPT, SLOT, tband_flux_to_file, file)
          : tband_flux_linear(&buffer, memory, 128, tband_flux_to_file, file);
  const tband_flux_setup setup = {
      .trace = 1,
      .version = (uint32_t)atoi(argv[1]),
      .max_item = ITEM_LAST,
      .max_entry = MAX_ENTRY,
      .items = items,
      .item_count = sizeof items / sizeof items[0],
      .sequences = sequences,
      .sequence_count = 1,
  };
  if (is_set_up != TBAND_FLUX_OK || tband_flux_trace_setup(&trace, &buffer, &setup) != TBAND_FLUX_OK ||
      signals_begin(&trace, (int64_t)now) != TBAND_FLUX_OK) {
    fprintf(stderr, "the signals could not be set up\n");
    return 1;
  }
  tband_valmarker_name(1, "step");
  if (tband_trigger_snapshot() != 0) {
    return 1;
  }
  for (int step = 0; step < STEPS; step++) {
    now += 1000;
    tband_valmarker(1, step);
    signals_step(&trace, step, (int64_t)now);
  }
  (void)tband_stop_snapshot();
  if (strcmp(argv[2], "ring") != 0 && tband_flux_close(&trace, 0, (int64_t)now + 1000) != TBAND_FLUX_OK) {
    return 1;
  }
  /* A ring closes the sequences in its file that are still open. */
  if (tband_flux_flush(&trace) != TBAND_FLUX_OK || fclose(file) != 0 || save_recording() != 0) {
    perror("signals.recTr");
    return 1;
  }
  fprintf(stderr, "wrote signals.recTr; lost: %lu\n", (unsigned long)tband_flux_lost(&buffer));
  return 0;
}
