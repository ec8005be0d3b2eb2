/* The timestamp of the Cortex-M ports: the first of these that there is.
 *
 * 1. tband_portTIMESTAMP(), if your tband_port.h has defined it already;
 * 2. tband_portCOUNTER32() with tband_portCOUNTER32_HZ: any 32-bit counter of your chip that counts up
 *    and wraps at 2^32, read as uint32_t. Record at least once per wrap;
 * 3. the cycle counter, on cores that have one; see tband_dwt_timer.h;
 * 4. SysTick; see tband_systick_timer.h.
 * 3 and 4 count clocks of the core: tband_portCPU_CLOCK_HZ, which may be a variable such as SystemCoreClock. On most
 * chips 3 stops while the core sleeps; if yours keeps running, define tband_portTIMER_RUNS_IN_SLEEP 1.
 * 3 is started by the recorder. */
#ifndef TBAND_CORTEX_M_TIMER_H
#define TBAND_CORTEX_M_TIMER_H

#if !defined(tband_portTIMESTAMP)

#if defined(tband_portCOUNTER32)

#ifndef tband_portCOUNTER32_HZ
#error "tband: how fast does tband_portCOUNTER32() count? Put into tband_port.h:"
#error "    #define tband_portCOUNTER32_HZ 1000000"
#include TBAND_STOP
#endif
#include "tband_extend32.h"
static tband_extend32_state tband_port_counter_state;
static inline uint64_t tband_port_counter(void) {
  return tband_extend32(&tband_port_counter_state, (uint32_t)(tband_portCOUNTER32()));
}
#define tband_portTIMESTAMP() tband_port_counter()
#define tband_portTIMESTAMP_ADD_WRAPS(wraps) tband_extend32_add_wraps(&tband_port_counter_state, (wraps))
#define tband_portTIMESTAMP_RAW() ((uint32_t)(tband_portCOUNTER32()))
#define tband_portTIMESTAMP_FREQUENCY_HZ (tband_portCOUNTER32_HZ)

#else

#ifndef tband_portCPU_CLOCK_HZ
#error "tband: how fast is the core? Put into tband_port.h:"
#error "    #define tband_portCPU_CLOCK_HZ 100000000"
#include TBAND_STOP
#endif
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#if defined(configUSE_TICKLESS_IDLE) && (configUSE_TICKLESS_IDLE == 1)
#error "tband: tickless idle sets SysTick anew, so it cannot be the timer. Take a counter of the chip. Put into tband_port.h:"
#error "    #define tband_portCOUNTER32() my_counter()      /* 32 bits, counts up, goes on in sleep */"
#error "    #define tband_portCOUNTER32_HZ 1000000"
#include TBAND_STOP
#endif
#include "tband_systick_timer.h"
#define tband_portTIMESTAMP() tband_port_systick()
#else
#if defined(configUSE_TICKLESS_IDLE) && (configUSE_TICKLESS_IDLE == 1) && !defined(tband_portTIMER_RUNS_IN_SLEEP)
#pragma message("tband: on most chips the cycle counter stops in tickless idle, and times are too short. Take a port whose timer goes on (STM32_FREERTOS, NRF_FREERTOS), or define in tband_port.h tband_portCOUNTER32() and tband_portCOUNTER32_HZ of a counter that goes on, or tband_portTIMER_RUNS_IN_SLEEP 1")
#endif
#include "tband_dwt_timer.h"
#define tband_portTIMESTAMP() tband_port_cycles()
#define tband_portTIMESTAMP_ADD_WRAPS(wraps) tband_extend32_add_wraps(&tband_port_cycles_state, (wraps))
#define tband_portTIMESTAMP_RAW() TBAND_PORT_DWT_CYCCNT
#define tband_portTIMESTAMP_START() tband_port_start_timer()
#endif
#define tband_portTIMESTAMP_FREQUENCY_HZ (tband_portCPU_CLOCK_HZ)

#endif

#endif /* tband_portTIMESTAMP */

#endif /* TBAND_CORTEX_M_TIMER_H */
