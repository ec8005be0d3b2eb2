/*
 * bare-metal: a sampling loop without an RTOS. SysTick sets the pace; in every
 * period the loop raises a sensor's interrupt, and that, on a high value, the more
 * urgent one of an alarm. Everything is recorded, and counted by record.c.
 *
 * Between two ticks the loop only waits, so the order of events is always the
 * same: expected.txt has it.
 */
#include <stdbool.h>

#include "board.h"
#include "record.h"
#include "recording.h"
#include "semihost.h"
#include "tband.h"

enum { EXIT_FILES = 2, EXIT_LOSSES = 4 }; /* 1: failed check, 3: fault */

enum { SENSOR_IRQ = 20, ALARM_IRQ = 21 }; /* not used by the board */
enum { ISR_TICK = 15, ISR_SENSOR = 16 + SENSOR_IRQ, ISR_ALARM = 16 + ALARM_IRQ };
enum { TICK_PRIORITY = 0xC0, SENSOR_PRIORITY = 0x80, ALARM_PRIORITY = 0x40 };

enum { EVT_PERIOD = 1, EVT_ALARM = 2 };
enum { VAL_SAMPLE = 1, VAL_AVERAGE = 2 };

enum { PERIODS = 8, PERIOD_COUNTS = BOARD_CLOCK_HZ / 1000, LIMIT = 20 };

static volatile unsigned ticks;
static volatile int32_t sample;

void SysTick_Handler(void);
void IRQ20_Handler(void);
void IRQ21_Handler(void);

void SysTick_Handler(void) {
  rec_isr_enter(ISR_TICK);
  ticks = ticks + 1;
  rec_isr_exit(ISR_TICK);
}

void IRQ20_Handler(void) {
  rec_isr_enter(ISR_SENSOR);
  sample = (int32_t)(ticks * 37U % 101U) - 50;
  rec_valmarker(VAL_SAMPLE, sample);
  if (sample > LIMIT) {
    board_irq_pend(ALARM_IRQ); /* runs here, nested */
  }
  rec_isr_exit(ISR_SENSOR);
}

void IRQ21_Handler(void) {
  rec_isr_enter(ISR_ALARM);
  rec_evtmarker(EVT_ALARM, "too high");
  rec_isr_exit(ISR_ALARM);
}

static void wait_for_tick(void) {
  const unsigned now = ticks;
  while (ticks == now) {
    recording_uart_poll();
  }
  tband_keep_time(); /* far more often than four times per wrap of the timer */
}

int main(void) {
#ifdef COUNTER_START
  BOARD_COUNTER = COUNTER_START;
#endif
  board_clock_start();
  rec_isr_name(ISR_TICK, "SysTick");
  rec_isr_name(ISR_SENSOR, "sensor");
  rec_isr_name(ISR_ALARM, "alarm");
  rec_evtmarker_name(EVT_PERIOD, "period");
  rec_evtmarker_name(EVT_ALARM, "alarm");
  rec_valmarker_name(VAL_SAMPLE, "sample");
  rec_valmarker_name(VAL_AVERAGE, "average");
  if (!recording_start()) {
    board_failed("the recording did not start", __FILE__, __LINE__);
  }
  board_irq_enable(SENSOR_IRQ, SENSOR_PRIORITY);
  board_irq_enable(ALARM_IRQ, ALARM_PRIORITY);
  board_systick_start(PERIOD_COUNTS, TICK_PRIORITY);

  int32_t average = 0;
  const uint32_t start = board_clock();
  for (unsigned period = 0; period < PERIODS; period++) {
    rec_evtmarker_begin(EVT_PERIOD, period % 2 == 0 ? "even" : "odd");
    /* Recording with interrupts off leaves them off: the sensor's waits after both markers. */
    board_interrupts_off();
    board_irq_pend(SENSOR_IRQ);
    rec_evtmarker(EVT_PERIOD, "masked");
    rec_evtmarker(EVT_PERIOD, "still masked");
    board_interrupts_on();
    average += (sample - average) / 4;
    rec_valmarker(VAL_AVERAGE, average);
    rec_evtmarker_end(EVT_PERIOD);
    wait_for_tick();
  }
  const uint32_t counts = board_clock() - start;
  board_systick_stop();
  const bool stopped = recording_stop();

  if (!recording_save() || !rec_write_truth("truth.json", counts)) {
    semihost_print("bare-metal: the files could not be written\n");
    return EXIT_FILES;
  }
  if (!stopped || recording_losses() > 0) {
    semihost_print("bare-metal: the recording is incomplete\n");
    return EXIT_LOSSES;
  }
  return 0;
}
