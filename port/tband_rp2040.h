/* RP2040 and RP2350 with the Pico SDK: timestamps from the 64-bit timer of 1 MHz that both cores share, and on RP2040 a
 * lock between the cores. The timer keeps running in WFI and WFE; it stops in the dormant state.
 *
 * Include it in tband_port.h before the header of the core:
 *
 *   #include "tband_rp2040.h"
 *   #include "tband_cortex_m_freertos.h"
 *
 * With two cores define before it tband_portNUMBER_OF_CORES 2, or use the kernel's configNUMBER_OF_CORES. The SDK
 * starts the timer before main().
 * Registers: RP2040 Datasheet, 4.6 "Timer", and 2.3.1 "SIO" with CPUID and the spin locks; RP2350 Datasheet, 12.8 and
 * 3.1. */
#ifndef TBAND_RP2040_H
#define TBAND_RP2040_H

#include <stdint.h>

#include "hardware/structs/sio.h"
#include "hardware/structs/timer.h"

/** Microseconds since the SDK started the timer. Uses the raw registers: reading TIMELR latches the upper half, and
 * both cores share one latch. */
static inline uint64_t tband_port_rp2040_time(void) {
  uint32_t high = timer_hw->timerawh;
  uint32_t low = timer_hw->timerawl;
  uint32_t again = timer_hw->timerawh;
  while (again != high) { /* the lower half has wrapped in between */
    high = again;
    low = timer_hw->timerawl;
    again = timer_hw->timerawh;
  }
  return ((uint64_t)high << 32) | low;
}

#define tband_portTIMESTAMP() tband_port_rp2040_time()
#define tband_portTIMESTAMP_RAW() (timer_hw->timerawl)
#define tband_portTIMESTAMP_FREQUENCY_HZ 1000000

#if !defined(tband_portNUMBER_OF_CORES) && defined(configNUMBER_OF_CORES)
#define tband_portNUMBER_OF_CORES configNUMBER_OF_CORES
#endif

#if defined(tband_portNUMBER_OF_CORES)
#if tband_portNUMBER_OF_CORES > 1
#define tband_portGET_CORE_ID() (sio_hw->cpuid)

/* RP2040's cores have no compare-and-swap; its hardware has spin locks. RP2350 does not need them. */
#if defined(__ARM_ARCH_6M__)
#include "hardware/sync.h"
/* Which of the 32 spin locks: one of those that the SDK hands out on request. Keep it with spin_lock_claim(31) in
 * main(). */
#ifndef tband_portRP2040_SPIN_LOCK
#define tband_portRP2040_SPIN_LOCK 31
#endif
#define tband_portSPIN_LOCK() \
  spin_lock_unsafe_blocking(spin_lock_instance(tband_portRP2040_SPIN_LOCK))
#define tband_portSPIN_UNLOCK() spin_unlock_unsafe(spin_lock_instance(tband_portRP2040_SPIN_LOCK))
#endif
#endif
#endif

#endif /* TBAND_RP2040_H */
