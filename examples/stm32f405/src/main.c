/*
 * stm32f405: values, a span and the tick's interrupt, recorded into packets, which are sent over USART1 at the same
 * time. On a board it runs for ever; in QEMU it records SAMPLES values, writes the expected events to a file, and ends.
 */
#include "stm32f405.h"
#include "tband.h"
#include "uart.h"

#if IN_QEMU
#include "semihost.h"
#endif

enum { ISR_TICK = 15 };
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

static void work(uint32_t period) {
  tband_evtmarker_begin(EVT_WORK, "");
  for (uint32_t sample = 0; sample < 10U; sample++) {
    tband_valmarker(VAL_SAMPLE, (int64_t)((10U * period) + sample));
  }
  tband_evtmarker_end(EVT_WORK);
  for (volatile uint32_t pause = 0; pause < 10000U; pause++) {
  }
}

#if IN_QEMU
/* Writes a file of one number. */
static void write_down(const char *name, uint32_t value) {
  const int file = semihost_create(name);
  if (file < 0 || !semihost_write(file, &value, sizeof value) || !semihost_close(file)) {
    semihost_exit(2);
  }
}

static void end(void) {
  (void)tband_stop_streaming();
  const uint32_t last = ticks;
  do {
    uart_kick();
  } while (!uart_is_idle() || ticks - last < 3U);
  write_down("ticks.bin", last);
  write_down("discarded.bin", tband_get_dropped_evt_cnt());
  semihost_exit(0);
}
#endif

int main(void) {
  uart_start();
  tband_isr_name(ISR_TICK, "SysTick");
  tband_valmarker_name(VAL_SAMPLE, "sample");
  tband_evtmarker_name(EVT_WORK, "work");
  if (tband_start_streaming() != 0) {
    return 1;
  }
  SysTick_Config(CORE_HZ / 1000U);
  for (uint32_t period = 0;; period++) {
    work(period);
#if IN_QEMU
    if (10U * (period + 1U) == SAMPLES) {
      end();
    }
#endif
  }
}
