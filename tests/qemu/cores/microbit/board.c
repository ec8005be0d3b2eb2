/*
 * The micro:bit for the examples: a Cortex-M0 core. Uses only the core's own
 * devices. It replaces examples/mps2-board/board.c.
 */
#include "board.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

static void settle(void) { __asm volatile("dsb\n\tisb" ::: "memory"); }

/* Cortex-M0 takes word accesses only. */
static void set_byte(volatile uint32_t *word, unsigned index, uint8_t value) {
  *word = (*word & ~(0xFFUL << (8U * index))) | ((uint32_t)value << (8U * index));
}

void board_irq_enable(unsigned irq, uint8_t priority) {
  set_byte(&REGISTER(0xE000E400UL + 4UL * (irq / 4U)), irq % 4U, priority);
  REGISTER(0xE000E100UL) = 1UL << irq;
  settle();
}

void board_irq_pend(unsigned irq) {
  REGISTER(0xE000E200UL) = 1UL << irq;
  settle();
}

void board_systick_start(uint32_t period, uint8_t priority) {
  set_byte(&REGISTER(0xE000ED20UL), 3, priority);
  REGISTER(0xE000E014UL) = period - 1U;
  REGISTER(0xE000E018UL) = 0;
  REGISTER(0xE000E010UL) = 0x7;
}

void board_systick_stop(void) { REGISTER(0xE000E010UL) = 0; }

/* The core has no instruction for this; the compiler calls it for C11's atomic_fetch_add(). */
unsigned __atomic_fetch_add_4(volatile void *object, unsigned operand, int order);
unsigned __atomic_fetch_add_4(volatile void *object, unsigned operand, int order) {
  (void)order;
  uint32_t primask;
  __asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask)::"memory");
  volatile unsigned *const at = object;
  const unsigned before = *at;
  *at = before + operand;
  __asm volatile("msr primask, %0" ::"r"(primask) : "memory");
  return before;
}

/* This board has no second clock. */
void board_clock_start(void) {}
uint32_t board_clock(void) { return 0; }
