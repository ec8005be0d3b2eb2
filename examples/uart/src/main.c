/*
 * uart: values, a span and the tick's interrupt, recorded into packets, which the UART's interrupt sends at the same
 * time. The program ends when it has recorded SAMPLES values and all of them are sent, and writes the expected events
 * to a file; yours continues.
 */
#include "board.h"
#include "semihost.h"
#include "tband.h"
#include "uart.h"

enum { ISR_TICK = 15, TICK_PRIORITY = 0xC0, TICK_COUNTS = BOARD_CLOCK_HZ / 1000 };
enum { VAL_SAMPLE = 1, EVT_WORK = 1 };

void SysTick_Handler(void);

static volatile uint32_t ticks;

void SysTick_Handler(void) {
  tband_isr_enter(ISR_TICK);
  ticks = ticks + 1U;
  tband_isr_exit(ISR_TICK);
  tband_keep_time(); /* closes packets that are old */
  uart_kick();
}

/* A file of one number. */
static void write_down(const char *name, uint32_t value) {
  const int file = semihost_create(name);
  if (file < 0 || !semihost_write(file, &value, sizeof value) || !semihost_close(file)) {
    board_failed("a file could not be written", __FILE__, __LINE__);
  }
}

int main(void) {
  board_clock_start();
  uart_start();
  tband_isr_name(ISR_TICK, "SysTick");
  tband_valmarker_name(VAL_SAMPLE, "sample");
  tband_evtmarker_name(EVT_WORK, "work");
  if (tband_start_streaming() != 0) {
    board_failed("the recording did not start", __FILE__, __LINE__);
  }
  board_systick_start(TICK_COUNTS, TICK_PRIORITY);

  for (uint32_t period = 0; period < SAMPLES / 10U; period++) {
    tband_evtmarker_begin(EVT_WORK, "");
    for (uint32_t sample = 0; sample < 10U; sample++) {
      tband_valmarker(VAL_SAMPLE, (int64_t)((10U * period) + sample));
    }
    tband_evtmarker_end(EVT_WORK);
    for (volatile uint32_t work = 0; work < 300U; work++) {
    }
  }
  (void)tband_stop_streaming();
  const uint32_t last = ticks;
  do {
    uart_kick();
  } while (!uart_is_idle() || ticks - last < 3U);
  write_down("ticks.bin", last);
  write_down("discarded.bin", tband_get_dropped_evt_cnt());
  return 0;
}
