/* A Cortex-M4F: the kernel's SysTick handler and the interrupts are real exceptions, pended by software;
 * SysTick does not count. Writes trace.bin and expected.txt by semihosting. */
#include "board.h"
#include "harness.h"
#include "recording.h"
#include "semihost.h"

const bool interrupts_are_real = true;

/* The port has it weak. */
void vPortSetupTimerInterrupt(void);
void vPortSetupTimerInterrupt(void) {}

void tick(void) {
  *(volatile uint32_t *)0xE000ED04UL = 1UL << 26; /* ICSR, PENDSTSET (Armv7-M) */
  __asm volatile("dsb\n\tisb" ::: "memory");
}

enum { OUTER_IRQ = ISR_OUTER - 16, INNER_IRQ = ISR_INNER - 16 }; /* nothing on the board uses these */
enum { OUTER_PRIORITY = 0x60, INNER_PRIORITY = 0x40 };

void platform_start(void) {
  board_irq_enable(OUTER_IRQ, OUTER_PRIORITY);
  board_irq_enable(INNER_IRQ, INNER_PRIORITY);
}

void platform_interrupt(bool nested) { board_irq_pend(nested ? INNER_IRQ : OUTER_IRQ); }

void IRQ20_Handler(void);
void IRQ21_Handler(void);
void IRQ20_Handler(void) { harness_interrupt_handler(); }
void IRQ21_Handler(void) { harness_interrupt_handler(); }

void platform_finish(const char *log, size_t len) {
  taskENTER_CRITICAL();
  const int file = semihost_create("expected.txt");
  CHECK(recording_save());
  CHECK(file >= 0 && semihost_write(file, log, len) && semihost_close(file));
  semihost_exit(0);
}

void platform_fail(const char *what, const char *file, int line) { board_failed(what, file, line); }
