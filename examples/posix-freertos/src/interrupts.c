/*
 * The interrupts of the example. The POSIX port has one, the tick, and runs its
 * hook in a signal handler: only FromISR functions and what is safe there. The
 * application's UART interrupt nests in it every few ticks, and the DMA's in that.
 */
#include "app.h"

enum { UART_PERIOD = 5 };

void app_name_isrs(void) {
  rec_isr_name(ISR_TICK, "SysTick");
  rec_isr_name(ISR_UART, "UART");
  rec_isr_name(ISR_DMA, "DMA");
}

/* At the end of the tick the kernel itself switches tasks if need be. */
void app_raise_dma(void) { (void)dma_isr(); }

void vApplicationTickHook(void);
void vApplicationTickHook(void) {
  static unsigned ticks;
  rec_isr_enter(ISR_TICK);
  if (++ticks % UART_PERIOD == 0) {
    (void)uart_isr();
  }
  rec_isr_exit(ISR_TICK);
}
