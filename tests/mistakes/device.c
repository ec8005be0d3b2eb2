/* A device without an RTOS, and its program: 200 rounds of a span, an interrupt and a value. Macros that the
 * tests define add the mistakes. */
#include <stdio.h>

#include "tband.h"

#ifndef START
#define START() tband_trigger_snapshot()
#define STOP() tband_stop_snapshot()
#endif

uint64_t my_timer_ticks(void);
bool my_send(const uint8_t *buf, size_t len);

uint64_t my_timer_ticks(void) {
  static uint64_t now;
#ifdef TIMER
  return TIMER;
#else
  return now += 10;
#endif
}

bool my_send(const uint8_t *buf, size_t len) {
#ifdef SEND
  SEND
#else
  return fwrite(buf, 1, len, stdout) != len;
#endif
}

static void work(void) {
  for (int number = 0; number < 200; number++) {
    tband_evtmarker_begin(1, "round");
#ifdef PRINT
    PRINT;
#endif
    tband_isr_enter(7);
    tband_valmarker(2, number);
#ifndef NO_ISR_EXIT
    tband_isr_exit(7);
#endif
    tband_evtmarker_end(1);
#ifdef EACH_ROUND
    EACH_ROUND;
#endif
  }
}

int main(void) {
  tband_isr_name(7, "UART");
  tband_evtmarker_name(1, "work");
#ifndef NEVER_STARTED
  (void)START();
  work();
#ifndef NOT_STOPPED
  (void)STOP();
#endif
#endif
#ifdef READ
  READ;
#elif defined(tband_configUSE_BACKEND_SNAPSHOT) && tband_configUSE_BACKEND_SNAPSHOT
#ifndef METADATA_LEFT_OUT
  (void)fwrite((const void *)tband_get_metadata_buf(0), 1, tband_get_metadata_buf_amnt(0), stdout);
#endif
  (void)fwrite((const void *)tband_get_core_snapshot_buf(0), 1, tband_get_core_snapshot_buf_amnt(0),
               stdout);
#endif
  return 0;
}
