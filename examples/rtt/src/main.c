/*
 * rtt: values and an interrupt, recorded into packets that a debug probe reads. Nothing here sends anything.
 * The program ends when it has recorded SAMPLES values and the probe has read them; yours continues.
 */
#include "board.h"
#include "tband.h"

enum { ISR_TICK = 15, TICK_PRIORITY = 0xC0, TICK_COUNTS = BOARD_CLOCK_HZ / 1000 };
enum { VAL_SAMPLE = 1, VAL_IDLE = 2, EVT_WORK = 1 };

void SysTick_Handler(void);

static volatile uint32_t ticks;

void SysTick_Handler(void) {
  tband_isr_enter(ISR_TICK);
  ticks = ticks + 1U;
  tband_isr_exit(ISR_TICK);
  tband_keep_time(); /* closes packets that are old, and sends names */
}

static void wait_for_tick(void) {
  const uint32_t now = ticks;
  while (ticks == now) {
  }
}

int main(void) {
  board_clock_start();
  tband_isr_name(ISR_TICK, "SysTick");
  tband_valmarker_name(VAL_SAMPLE, "sample");
  tband_evtmarker_name(EVT_WORK, "work");
  if (tband_start_streaming() != 0) {
    board_failed("the recording did not start", __FILE__, __LINE__);
  }
  board_systick_start(TICK_COUNTS, TICK_PRIORITY);

  while (!tband_is_recording()) { /* with START_ON_READER: until a probe reads */
    tband_valmarker(VAL_IDLE, (int64_t)ticks);
  }
  tband_evtmarker_begin(EVT_WORK, "all");
  for (uint32_t sample = 0; sample < SAMPLES; sample++) {
    tband_valmarker(VAL_SAMPLE, (int64_t)sample);
  }
  tband_evtmarker_end(EVT_WORK);
  (void)tband_stop_streaming();

  /* The part of a probe's program other than the reading: everything is read when both offsets are equal. */
  extern struct {
    char id[16];
    int32_t counts[2];
    tband_rtt_buffer up;
  } _SEGGER_RTT;
  volatile tband_rtt_buffer *const up = &_SEGGER_RTT.up;
  for (uint32_t quiet = 0; quiet < 3U; quiet++) { /* the last discarded events are reported in one more packet */
    while (up->read != up->write) {
      wait_for_tick();
    }
    wait_for_tick();
    wait_for_tick();
  }
  return 0;
}
