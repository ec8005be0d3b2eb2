/* Cortex-A9 MPCore: its peripherals are at 0xF8F00000 on the Zynq-7000. */
#include "board.h"

#define RAW(at) (*(volatile uint32_t *)(0xF8F00000U + (at)))
static inline uint32_t get(uint32_t at) { return RAW(at); }
static inline void put(uint32_t at, uint32_t value) { RAW(at) = value; }

#ifdef APP_RTOS
#include "FreeRTOS.h"
#include "task.h"
#include "tband.h"
/* GIC: CPU interface at 0x100, distributor at 0x1000; private timer at 0x600, interrupt 29. */
void board_tick_setup(void);
void board_tick_clear(void);
#define TICK_PRIORITY ((uint32_t)(portLOWEST_USABLE_INTERRUPT_PRIORITY << portPRIORITY_SHIFT))
void vApplicationIRQHandler(uint32_t iar);
void board_tick_setup(void) {
  put(0x1000, 1);   /* distributor on */
  put(0x100, 1);    /* CPU interface on */
  put(0x104, 0xFF); /* all priorities */
  put(0x1000 + 0x400 + 28, (get(0x1000 + 0x400 + 28) & 0xFFFF00FFU) | (TICK_PRIORITY << 8)); /* of 29 */
  put(0x1000 + 0x100, 1U << 29);
  put(0x600, (100000000U / configTICK_RATE_HZ) - 1U);
  put(0x608, 7); /* on, again and again, interrupt */
}
void board_tick_clear(void) { put(0x60C, 1); }

void vApplicationIRQHandler(uint32_t iar) {
  const uint32_t number = iar & 0x3FFU;
  if (number == 29U) {
    board_tick(number);
  }
}
#endif
