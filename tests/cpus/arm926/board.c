/* An ARM926 on QEMU's Versatile/PB: interrupt controller PL190 at 0x10140000, timer SP804 at 0x101E2000 on interrupt 4,
 * 24 MHz counter of 32 bits at 0x1000005C. */
#include "board.h"

#ifdef APP_RTOS
#include "FreeRTOS.h"
#include "task.h"
#include "tband.h"

#define REGISTER(at) (*(volatile uint32_t *)(at))
#define TICK 4U

volatile uint32_t board_no_register;
static BaseType_t is_switch_due;

volatile uint32_t *board_tick_setup(void) {
  REGISTER(0x101E2000) = 1000000 / configTICK_RATE_HZ; /* load: 1 MHz */
  REGISTER(0x101E2008) = 0xE2;                         /* on, periodic, interrupt, 32 bits */
  REGISTER(0x10140010) = 1U << TICK;
  return &board_no_register;
}

void FreeRTOS_Tick_Handler(void) {
  REGISTER(0x101E200C) = 1;
  is_switch_due = xTaskIncrementTick();
}

void board_irq(void);
void board_irq(void) {
  if ((REGISTER(0x10140000) & (1U << TICK)) != 0U) {
    board_tick(TICK);
  }
  if (is_switch_due != pdFALSE) {
    is_switch_due = pdFALSE;
    vTaskSwitchContext();
  }
}

void board_irq_entry(void) __attribute__((naked));
void board_irq_entry(void) {
  portSAVE_CONTEXT();
  __asm volatile("bl board_irq");
  portRESTORE_CONTEXT();
}
#endif
