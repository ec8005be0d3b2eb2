/*
 * The interrupts of each core: its timer, which on core 0 is the kernel's tick, and the software interrupt that cores
 * raise for each other, for the kernel or to ring the bell. The timer interrupt lets the others in.
 */
#include "app.h"
#include "log.h"

#define MIE_SOFTWARE (1U << PORT_SOFTWARE_INTERRUPT)
#define MIE_TIMER    (1U << PORT_TIMER_INTERRUPT)

void app_name_things(void) {
  tband_isr_name(ISR_SOFTWARE, "other core");
  tband_isr_name(ISR_TIMER, "timer");
  tband_isr_name(ISR_BELL, "bell");
  tband_valmarker_name(VAL_ROUND, "token");
  tband_valmarker_name(VAL_WORK, "work");
  tband_valmarker_name(VAL_TIMER, "timer");
  tband_evtmarker_name(EVT_STEP, "step");
  tband_evtmarker_name(EVT_YOUNG, "young");
}

static void software_interrupt(void) {
  record_isr_enter(ISR_SOFTWARE);
  if ((port_software_interrupt() & REASON_BELL) != 0U) {
    record_isr_enter(ISR_BELL);
    BaseType_t woken = pdFALSE;
    vTaskNotifyGiveFromISR(app_bell, &woken);
    portYIELD_FROM_ISR(woken);
    record_isr_exit(ISR_BELL);
  }
  record_isr_exit(ISR_SOFTWARE);
}

/* About 1.7 to 2.5 ms, so that the cores' interrupts coincide in all ways. */
void app_start_timer(BaseType_t core) {
  if (core != configTICK_CORE) {
    port_set_timer(core, port_time() + configMTIME_HZ / 10000U * (13U + 4U * (uint32_t)core));
  }
}

static void timer_of_another_core(BaseType_t core) {
  static uint32_t sample[CORES];
  app_start_timer(core);
  record_value(VAL_TIMER, (int32_t)sample[core]);
  BaseType_t woken = pdFALSE;
  (void)xQueueSendFromISR(app_samples, &sample[core], &woken);
  sample[core]++;
  portYIELD_FROM_ISR(woken);
}

static void timer_interrupt(BaseType_t core) {
  record_isr_enter(ISR_TIMER);
  if (core == configTICK_CORE) {
    port_tick();
  } else {
    timer_of_another_core(core);
  }
  /* The software interrupt may nest; this one not in itself. */
  __asm volatile("csrc mie, %0" ::"r"(MIE_TIMER));
  portENABLE_INTERRUPTS();
  app_compute(10);
  portDISABLE_INTERRUPTS();
  __asm volatile("csrs mie, %0" ::"r"(MIE_TIMER));
  record_isr_exit(ISR_TIMER);
}

void application_interrupt(BaseType_t core, uint32_t code) {
  if (code == PORT_SOFTWARE_INTERRUPT) {
    software_interrupt();
  } else if (code == PORT_TIMER_INTERRUPT) {
    timer_interrupt(core);
  } else {
    configASSERT(!"an unknown interrupt");
  }
}
