/* Time and the kernel's ticks: extends the port's timer in time, and corrects it after a sleep without ticks. Part of
 * the shim. */
#if defined(TBAND_SHIM) && !defined(TBAND_KERNEL_TIME_H)
#define TBAND_KERNEL_TIME_H

#if defined(tband_portTIMESTAMP_IS_EXTENDED) && (tband_portTIMESTAMP_IS_EXTENDED != 0)
#define TBAND_EXTENDS_TIMER 1
#else
#define TBAND_EXTENDS_TIMER 0
#endif

/* Called by the hooks of the kernel's tick, its start and the end of a sleep: an extended counter must be read once per
 * wrap. */
void tband_kernel_tick(void) {
#if TBAND_USES_PACKETS || TBAND_EXTENDS_TIMER
  tband_keep_time();
#endif
}

/* ---- Wraps that were not observed ------------------------------------------------------------- */

#if TBAND_EXTENDS_TIMER && defined(tband_portTIMESTAMP_ADD_WRAPS)

/* The timer wraps after 2 to the power of this many counts. */
#ifndef tband_portTIMESTAMP_WRAP_BITS
#define tband_portTIMESTAMP_WRAP_BITS 32
#endif
TBAND_STATIC_ASSERT(((tband_portTIMESTAMP_WRAP_BITS) >= 8) && ((tband_portTIMESTAMP_WRAP_BITS) <= 32),
                    "tband: tband_portTIMESTAMP_WRAP_BITS must be 8 to 32");

/* The time when the last sleep began, and the ticks that were stepped since. */
static uint64_t tband_slept_from;
static uint32_t tband_slept_ticks;

#if TBAND_USES_PACKETS
#define TBAND_SLEEP_TIME() TBAND_CLOSING_TIME()
#else
#define TBAND_SLEEP_TIME() ((uint64_t)(tband_portTIMESTAMP()))
#endif

/* Returns the number of missing wraps of the timer, rounded to the nearest, given that it has counted `counted` in
 * `ticks` of the kernel. The division works bit by bit, because the target divides at most 32 bits; it runs only after
 * long sleeps. */
static uint32_t tband_missing_wraps(uint32_t ticks, uint64_t counted) {
  const uint64_t divisor = (uint64_t)TBAND_FREQUENCY_DIVISOR() * (uint32_t)(configTICK_RATE_HZ);
  uint64_t counts = (uint64_t)ticks * TBAND_FREQUENCY_HZ();
  const uint64_t half = 1ULL << ((tband_portTIMESTAMP_WRAP_BITS)-1);
  uint64_t rest = 0;
  if ((counts >> ((tband_portTIMESTAMP_WRAP_BITS)-1)) < divisor) {
    return 0; /* less than half a wrap */
  }
  for (uint32_t bit = 0; bit < 64U; bit++) {
    rest = (rest << 1) | (counts >> 63);
    counts <<= 1;
    if (rest >= divisor) {
      rest -= divisor;
      counts |= 1U;
    }
  }
  return (counts > counted) ? (uint32_t)((counts - counted + half) >> (tband_portTIMESTAMP_WRAP_BITS)) : 0U;
}

/* Called by the hook of vTaskStepTick, once or several times in a sleep. The open packet has only times before the
 * correction. */
void tband_kernel_steps(uint32_t ticks) {
  if ((TBAND_CORES > 1U) || TBAND_IS_REFUSED(false)) {
    return; /* cores cannot share a timer that is extended in software */
  }
  tband_portENTER_CRITICAL_FROM_ANY();
  const uint64_t now = TBAND_SLEEP_TIME();
  tband_slept_ticks += ticks;
  const uint32_t wraps = tband_missing_wraps(tband_slept_ticks, now - tband_slept_from);
  if (wraps != 0U) {
#if TBAND_USES_PACKETS
    TBAND_PACKET(tband_lib_packet_close)(&tband_cores[tband_core_index()], 0, now);
#endif
    tband_portTIMESTAMP_ADD_WRAPS(wraps);
  }
  tband_portEXIT_CRITICAL_FROM_ANY();
}

#else
void tband_kernel_steps(uint32_t ticks) { (void)ticks; }
#endif

/* Called by the idle task before `ticks` ticks without the tick interrupt. A packet that would be too old after them is
 * closed here: they may exceed a wrap of the lower 32 bits, and an interrupt may be recorded before the idle task
 * continues. */
void tband_kernel_sleeps(uint32_t ticks) {
#if TBAND_USES_PACKETS
  if (ticks >= (uint32_t)(((uint64_t)(tband_configPACKET_MAX_AGE_MS) * (configTICK_RATE_HZ)) / 1000U)) {
    tband_flush();
  }
#else
  (void)ticks;
#endif
#if TBAND_EXTENDS_TIMER && defined(tband_portTIMESTAMP_ADD_WRAPS)
  if ((TBAND_CORES == 1U) && !TBAND_IS_REFUSED(false)) {
    tband_portENTER_CRITICAL_FROM_ANY();
    tband_slept_from = TBAND_SLEEP_TIME();
    tband_slept_ticks = 0;
    tband_portEXIT_CRITICAL_FROM_ANY();
  }
#endif
}

#endif /* TBAND_KERNEL_TIME_H */
