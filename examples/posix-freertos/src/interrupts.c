/*
 * The interrupts of the example. The POSIX port has one, the tick, which is a signal handler: only
 * FromISR functions and async-signal-safe functions may be called. The application's UART interrupt
 * nests in it every few ticks, and the DMA's in that.
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

/*
 * The port defines the signal handler, and the kernel readies the tasks whose time has come before
 * it calls the hook below. So the linker replaces the function that the handler calls by this one
 * (--wrap, see CMakeLists.txt): the interrupt begins before it makes any task ready. For ticks that
 * the kernel catches up on, the kernel calls the original function.
 */
BaseType_t __real_xTaskIncrementTick(void);
BaseType_t __wrap_xTaskIncrementTick(void);
BaseType_t __wrap_xTaskIncrementTick(void) {
  rec_isr_enter(ISR_TICK);
  const BaseType_t switch_required = __real_xTaskIncrementTick();
  rec_isr_exit(ISR_TICK);
  return switch_required;
}

void vApplicationTickHook(void);
void vApplicationTickHook(void) {
  static unsigned ticks;
  if (++ticks % UART_PERIOD == 0) {
    (void)uart_isr();
  }
}
