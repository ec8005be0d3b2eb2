/* The project's port. */
#ifndef BOARD_TBAND_PORT_H
#define BOARD_TBAND_PORT_H
#include "board.h"
#define tband_portSTRICT_ALIGN 1
#ifdef CORES
#define tband_portNUMBER_OF_CORES CORES
static inline unsigned board_core(void) {
  unsigned long mpidr;
  __asm volatile("mrs %0, mpidr_el1" : "=r"(mpidr));
  return (unsigned)(mpidr & 3U);
}
#define tband_portGET_CORE_ID() board_core()
#endif
#ifdef APP_RTOS
#include "GCC_AARCH64_FREERTOS/tband_port.h"
#else
#include "GCC_AARCH64/tband_port.h"
#endif
#endif
