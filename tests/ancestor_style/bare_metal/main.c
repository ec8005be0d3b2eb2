/* A sensor that interrupts and is read out, written for Tonbandgeraet: tband.h brings <stdlib.h> for getenv, and
 * the recording is started until it is. The UART is busy at first. */
#include "tband.h"

#include <stdio.h>

#define MARKER_SENSOR 0
#define MARKER_DSP 1
#define MARKER_BUF 0
#define SENSOR_ISR 7

static uint64_t now;
static bool in_irq;
static bool masked;
static int busy = 5;
static FILE *trace;

uint64_t platform_ts(void) { return now++; }
bool platform_in_irq(void) { return in_irq; }

unsigned platform_mask(void) {
  unsigned was = masked ? 1 : 0;
  masked = true;
  return was;
}

void platform_unmask(unsigned key) { masked = (key != 0); }

bool stream_data(const uint8_t *buf, size_t buf_len) {
  if (busy > 0) {
    busy--;
    return true;
  }
  return fwrite(buf, 1, buf_len, trace) != buf_len;
}

static void sensor_isr(void) {
  in_irq = true;
  tband_isr_enter(SENSOR_ISR);
  tband_evtmarker(MARKER_SENSOR, "rdy");
  tband_isr_exit(SENSOR_ISR);
  in_irq = false;
}

static void dsp(int64_t amount) {
  tband_fn_begin(2);
  tband_valmarker(MARKER_BUF, amount);
  tband_fn_end();
}

static void sensor_do_work(void) {
  tband_evtmarker_begin(MARKER_SENSOR, "acq");
  tband_evtmarker_end(MARKER_SENSOR);
  tband_evtmarker_begin(MARKER_DSP, "");
  dsp(-3);
  tband_evtmarker_end(MARKER_DSP);
}

int main(void) {
  const char *path = getenv("TRACE_FILE");
  if (path == NULL) {
    return EXIT_FAILURE;
  }
  trace = fopen(path, "wb");
  if (trace == NULL) {
    return EXIT_FAILURE;
  }

  tband_gather_system_metadata();
  tband_isr_name(SENSOR_ISR, "sensor_isr");
  tband_evtmarker_name(MARKER_SENSOR, "sensor");
  tband_evtmarker_name(MARKER_DSP, "dsp");
  tband_valmarker_name(MARKER_BUF, "buf");

  while (tband_start_streaming() != 0) {
  }
  for (int i = 0; i < 2; i++) {
    sensor_isr();
    sensor_do_work();
  }
  tband_stop_streaming();
  return (fclose(trace) == 0) ? EXIT_SUCCESS : EXIT_FAILURE;
}
