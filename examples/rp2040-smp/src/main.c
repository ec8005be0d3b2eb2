/* FreeRTOS on both cores of RP2040 or RP2350, recorded. See README.md for how to build it and how to get the
 * recording. */
#include "FreeRTOS.h"
#include "app.h"
#include "hardware/sync.h"
#include "pico/stdlib.h"
#include "recording.h"
#include "task.h"
#include "tband.h"

/* In the interrupt of the SDK's alarm pool, on the core that has set it. */
static bool rings(repeating_timer_t *unused) {
  (void)unused;
  tband_isr_enter(ISR_ALARM);
  app_alarm();
  tband_isr_exit(ISR_ALARM);
  return true;
}

int main(void) {
  (void)stdio_init_all();
#if PICO_RP2040
  /* Reserves the lock that tband takes between the cores, tband_portRP2040_SPIN_LOCK. RP2350 needs none. */
  spin_lock_claim(31);
#endif
  tband_isr_name(ISR_ALARM, "alarm");
  tband_evtmarker_name(MARKER_WORK, "work");
  app_create();
  recording_start();
  static repeating_timer_t timer;
  configASSERT(add_repeating_timer_us(-1000, rings, NULL, &timer));
  vTaskStartScheduler();
  return 0;
}
