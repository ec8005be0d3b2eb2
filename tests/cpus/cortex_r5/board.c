/* A Cortex-R5F on QEMU's RealView PB-A8: GIC (CPU interface 0x1E000000, distributor 0x1E001000), SP804 timer at
 * 0x10011000 on interrupt 36, 24 MHz counter of 32 bits at 0x1000005C. Peripherals are little endian whatever the CPU
 * is. */
#include "board.h"

static inline uint32_t swapped(uint32_t word) {
#ifdef BIG
  return __builtin_bswap32(word);
#else
  return word;
#endif
}
static inline uint32_t get(uint32_t at) { return swapped(*(volatile uint32_t *)at); }
static inline void put(uint32_t at, uint32_t value) { *(volatile uint32_t *)at = swapped(value); }

#ifdef APP_RTOS
#include "FreeRTOS.h"
#include "task.h"
#include "tband.h"
uint32_t board_no_eoi;
void board_tick_setup(void) {
  put(0x1E001000, 1);                /* distributor on */
  put(0x1E000000, 1);                /* CPU interface on */
  put(0x1E000004, 0xFF);             /* all priorities */
  put(0x1E001400 + 36, 0xA0A0A0A0);  /* 36 to 39 */
  put(0x1E001800 + 36, 0x01010101);  /* to this CPU */
  put(0x1E001100 + 4, 1U << 4);
  put(0x10011000, 1000000 / configTICK_RATE_HZ); /* load: 1 MHz */
  put(0x10011008, 0xE2);             /* on, periodic, interrupt, 32 bits */
}
void board_tick_clear(void) { put(0x1001100C, 1); }
void vApplicationIRQHandler(void);
void vApplicationIRQHandler(void) {
  const uint32_t iar = get(0x1E00000C);
  if ((iar & 0x3FFU) == 36U) {
    board_tick(iar & 0x3FFU);
  }
  put(0x1E000010, iar);
}
#ifdef BIG
/* The kernel's handler reads the number of the SVC from the instruction, which is little endian in BE8: portYIELD()
 * comes here. */
void vApplicationSVCHandler(uint32_t number);
void vApplicationSVCHandler(uint32_t number) {
  (void)number;
  vTaskSwitchContext();
}
#endif
#endif
