/* Firmware that writes flux while an interrupt writes to the same trace. Accepted samples are complete; the trace
 * refuses and counts samples that come while main writes. Writes trace.bin, and counts.bin: accepted and refused
 * samples of the interrupt. */
#include "semihost.h"
#include "tband_flux.h"
#include "tband_flux_handlers.h"

enum { STEPS = 2000, FROM_MAIN = 2, FROM_INTERRUPT = 3 };

#define SYSTICK ((volatile uint32_t *)0xE000E010UL) /* control, reload, value */

static uint8_t memory[256];
static tband_flux_buffer buffer;
static tband_flux_trace trace;
static tband_flux_item items[4];
static tband_flux_sequence sequences[1];
static uint8_t file[65536];
static tband_flux_memory into = {file, sizeof file, 0};
static volatile uint32_t now;
static volatile uint32_t counts[3];

void SysTick_Handler(void);
void SysTick_Handler(void) {
  const int32_t result = tband_flux_integer(&trace, FROM_INTERRUPT, now, -(int64_t)counts[0]);
  counts[(result == TBAND_FLUX_OK) ? 0 : (result == TBAND_FLUX_BUSY) ? 1 : 2]++;
}

int main(void) {
  const tband_flux_setup setup = {1, 6, 3, 64, items, 4, sequences, 1};
  if (tband_flux_linear(&buffer, memory, sizeof memory, tband_flux_to_memory, &into) != TBAND_FLUX_OK) return 10;
  if (tband_flux_trace_setup(&trace, &buffer, &setup) != TBAND_FLUX_OK) return 11;
  if (tband_flux_head(&trace, "firmware", "") != TBAND_FLUX_OK) return 12;
  if (tband_flux_scope(&trace, 1, 0, "m", "") != TBAND_FLUX_OK) return 13;
  if (tband_flux_signal(&trace, FROM_MAIN, 1, "main", "", TBAND_FLUX_INTEGER, "") != TBAND_FLUX_OK) return 14;
  if (tband_flux_signal(&trace, FROM_INTERRUPT, 1, "interrupt", "", TBAND_FLUX_INTEGER, "") != TBAND_FLUX_OK) return 15;
  if (tband_flux_open(&trace, 0, "us", 0, 0) != TBAND_FLUX_OK) return 16;
  SYSTICK[1] = 1600;
  SYSTICK[2] = 0;
  SYSTICK[0] = 7;
  for (int64_t step = 0; step < STEPS; step++) {
    now += 3;
    if (tband_flux_integer(&trace, FROM_MAIN, now, step * 1000003) != TBAND_FLUX_OK) return 17;
  }
  SYSTICK[0] = 0;
  if (tband_flux_close(&trace, 0, now) != TBAND_FLUX_OK) return 18;
  if (tband_flux_flush(&trace) != TBAND_FLUX_OK) return 19;
  if (counts[2] != 0 || tband_flux_lost(&buffer) != counts[1]) return 20;
  const int out = semihost_create("trace.bin");
  if (out < 0 || !semihost_write(out, file, into.used) || !semihost_close(out)) return 21;
  const int numbers = semihost_create("counts.bin");
  if (numbers < 0 || !semihost_write(numbers, counts, 8) || !semihost_close(numbers)) return 22;
  return 0;
}
