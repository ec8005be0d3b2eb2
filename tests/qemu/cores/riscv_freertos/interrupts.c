/*
 * The interrupts of the application on RISC-V. The kernel's port has the trap
 * handler: mtime's interrupt is its tick, whose hook records it here; every other one
 * it hands to freertos_risc_v_application_interrupt_handler(). The UART and the DMA
 * share the software interrupt. Nothing nests: the port keeps interrupts off in traps.
 */
#include "app.h"
#include "board.h"
#include "semihost.h"

#define MSIP (*(volatile uint32_t *)0x02000000UL)

enum { UART_PERIOD = 5 };
enum { SOFTWARE_INTERRUPT = 3, EXIT_FAULT = 3 };

/* Written in traps only. */
static bool uart_pending, dma_pending;

void vApplicationTickHook(void);
void freertos_risc_v_trap_handler(void); /* the kernel's */
void freertos_risc_v_application_interrupt_handler(void);
void freertos_risc_v_application_exception_handler(void);

static uint32_t mcause(void) {
  uint32_t value;
  __asm volatile("csrr %0, mcause" : "=r"(value));
  return value;
}

void app_name_isrs(void) {
  rec_isr_name(ISR_TICK, "tick");
  rec_isr_name(ISR_UART, "UART");
  rec_isr_name(ISR_DMA, "DMA");
  __asm volatile("csrw mtvec, %0" ::"r"(freertos_risc_v_trap_handler));
  __asm volatile("csrs mie, %0" ::"r"(1U << SOFTWARE_INTERRUPT)); /* the kernel enables the others */
}

void vApplicationTickHook(void) {
  static unsigned ticks;
  rec_isr_enter(ISR_TICK);
  if (++ticks % UART_PERIOD == 0) {
    uart_pending = true;
    MSIP = 1;
  }
  rec_isr_exit(ISR_TICK);
}

void app_raise_dma(void) {
  dma_pending = true;
  MSIP = 1;
}

/* One device a trap: the UART raises the DMA, which then gets a separate trap. */
void freertos_risc_v_application_interrupt_handler(void) {
  configASSERT(mcause() == (0x80000000U | SOFTWARE_INTERRUPT));
  MSIP = 0;
  bool woken = false;
  if (uart_pending) {
    uart_pending = false;
    woken = uart_isr();
  } else if (dma_pending) {
    dma_pending = false;
    woken = dma_isr();
  }
  portYIELD_FROM_ISR(woken ? pdTRUE : pdFALSE);
}

void freertos_risc_v_application_exception_handler(void) {
  semihost_print("unexpected exception\n");
  semihost_exit(EXIT_FAULT);
}
