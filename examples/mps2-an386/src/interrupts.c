/*
 * The interrupts of the example: SysTick, and two that the program raises itself, as devices would; their handlers are
 * in handlers.cpp. They nest three deep: the UART's interrupts SysTick's handler, and the DMA's the UART's. All are at
 * or below configMAX_SYSCALL_INTERRUPT_PRIORITY, so the recorder's critical section masks them.
 */
#include "app.h"
#include "board.h"

enum { UART_PERIOD = 5 };
/* SysTick has the lowest, 0xFF. They differ in the upper two bits: Cortex-M0 has no more. */
enum { UART_PRIORITY = 0x80, DMA_PRIORITY = 0x40 };

#undef SysTick_Handler /* where FreeRTOSConfig.h renames the kernel's; this is the one in the table */
void SysTick_Handler(void);
void xPortSysTickHandler(void);
void vApplicationTickHook(void);

void app_name_isrs(void) {
  rec_isr_name(ISR_TICK, "SysTick");
  rec_isr_name(ISR_UART, "UART");
  rec_isr_name(ISR_DMA, "DMA");
  board_irq_enable(UART_IRQ, UART_PRIORITY);
  board_irq_enable(DMA_IRQ, DMA_PRIORITY);
}

void SysTick_Handler(void) {
  rec_isr_enter(ISR_TICK);
  xPortSysTickHandler();
  rec_isr_exit(ISR_TICK);
}

/* Inside the kernel's tick handler, which keeps the interrupt waiting until it is almost done. */
void vApplicationTickHook(void) {
  static unsigned ticks;
  if (++ticks % UART_PERIOD == 0) {
    board_irq_pend(UART_IRQ);
  }
}

void app_raise_dma(void) { board_irq_pend(DMA_IRQ); }
