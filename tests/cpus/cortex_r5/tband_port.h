/* The project's port, with the board's counter as its timer: QEMU's cycle counter follows the host. */
#ifndef BOARD_TBAND_PORT_H
#define BOARD_TBAND_PORT_H
#include "board.h"
static inline uint32_t board_counter(void) {
  const uint32_t now = *(volatile uint32_t *)0x1000005CU;
#ifdef BIG
  return __builtin_bswap32(now);
#else
  return now;
#endif
}
#define tband_portCOUNTER32() board_counter()
#define tband_portCOUNTER32_HZ 24000000
#ifdef APP_RTOS
#include "GCC_ARM_CR5_FREERTOS/tband_port.h"
#else
#include "GCC_ARM_CR5/tband_port.h"
#endif
#endif
