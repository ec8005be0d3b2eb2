/* tband port: Zephyr, one core. The timer is the system clock's, and a critical section masks what irq_lock() masks:
 * all but zero-latency interrupts, which must not record. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include <zephyr/kernel.h>

#if defined(CONFIG_TIMER_HAS_64BIT_CYCLE_COUNTER)
#define tband_portTIMESTAMP() k_cycle_get_64()
#else
/* Counts the wraps. Around its interrupt a driver may return a slightly smaller value than before: then the time stays.
 * Needs a call in each half of the counter's period; the idle thread's hook makes one whenever the processor sleeps. */
#ifndef tband_portTIMESTAMP_IS_EXTENDED
#define tband_portTIMESTAMP_IS_EXTENDED 1
#endif
static inline uint64_t tband_port_time(void) {
  static uint64_t now;
  const int32_t step = (int32_t)(k_cycle_get_32() - (uint32_t)now);
  if (step > 0) {
    now += (uint32_t)step;
  }
  return now;
}
#define tband_portTIMESTAMP() tband_port_time()
#endif
#define tband_portTIMESTAMP_FREQUENCY_HZ sys_clock_hw_cycles_per_sec()

#define tband_portENTER_CRITICAL_FROM_ANY() const unsigned int tband_key = arch_irq_lock()
#define tband_portEXIT_CRITICAL_FROM_ANY() arch_irq_unlock(tband_key)

#endif /* TBAND_PORT_H */
