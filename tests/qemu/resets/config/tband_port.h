/* tband port of the test. Its critical section masks the interrupts that are less urgent than the one that resets,
 * which comes at any instruction. */
#ifndef TBAND_PORT_H_
#define TBAND_PORT_H_

#include "board.h"

#define tband_portCOUNTER32()  BOARD_COUNTER
#define tband_portCOUNTER32_HZ BOARD_CLOCK_HZ

#include "tband_cortex_m_timer.h"

static inline uint32_t port_raise(void) {
  uint32_t before;
  __asm volatile("mrs %0, basepri\n\tmsr basepri_max, %1" : "=&r"(before) : "r"(0x40) : "memory");
  return before;
}
static inline void port_lower(uint32_t before) {
  __asm volatile("msr basepri, %0" ::"r"(before) : "memory");
}
#define tband_portENTER_CRITICAL_FROM_ANY() const uint32_t port_before = port_raise()
#define tband_portEXIT_CRITICAL_FROM_ANY()  port_lower(port_before)

#endif /* TBAND_PORT_H_ */
