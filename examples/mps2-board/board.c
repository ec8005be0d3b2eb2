/*
 * The devices of an MPS2 board: registers as in Arm's application notes AN385, AN386
 * and AN505, and the core's own. See board.h.
 */
#include "board.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

/* Waits until a write to a device has taken effect, including interrupts that it raises. */
static void settle(void) { __asm volatile("dsb\n\tisb" ::: "memory"); }

/* --- Timers --------------------------------------------------------------------------- */

#define DUALTIMER_LOAD REGISTER(BOARD_TIMERS + 0x2000UL)
#define DUALTIMER_VALUE REGISTER(BOARD_TIMERS + 0x2004UL)
#define DUALTIMER_CONTROL REGISTER(BOARD_TIMERS + 0x2008UL)

void board_clock_start(void) {
  DUALTIMER_CONTROL = 0;
  DUALTIMER_LOAD = UINT32_MAX;
  DUALTIMER_CONTROL = 0x82; /* enabled, free running, 32 bit */
}

uint32_t board_clock(void) { return UINT32_MAX - DUALTIMER_VALUE; } /* counts down */

#define TIMER_CONTROL(timer) REGISTER(BOARD_TIMERS + 0x0UL + 0x1000UL * (timer))
#define TIMER_VALUE(timer) REGISTER(BOARD_TIMERS + 0x4UL + 0x1000UL * (timer))
#define TIMER_RELOAD(timer) REGISTER(BOARD_TIMERS + 0x8UL + 0x1000UL * (timer))
#define TIMER_INTCLEAR(timer) REGISTER(BOARD_TIMERS + 0xCUL + 0x1000UL * (timer))

void board_timer_start(enum board_timer timer, uint32_t period) {
  TIMER_RELOAD(timer) = period - 1U;
  TIMER_VALUE(timer) = period - 1U;
  TIMER_CONTROL(timer) = 0x9; /* enabled, with interrupt */
}

void board_timer_stop(enum board_timer timer) {
  TIMER_CONTROL(timer) = 0;
  board_timer_clear(timer);
}

void board_timer_clear(enum board_timer timer) {
  TIMER_INTCLEAR(timer) = 1;
  settle();
}

/* --- Interrupts ------------------------------------------------------------------------- */

#define NVIC_ENABLE REGISTER(0xE000E100UL)
#define NVIC_PEND REGISTER(0xE000E200UL)
/* Word access only, as Cortex-M0 needs it. */
#define NVIC_PRIORITIES(irq) REGISTER(0xE000E400UL + 4UL * ((irq) / 4U))
#define SYSTEM_PRIORITIES_3 REGISTER(0xE000ED20UL)

static void set_byte(volatile uint32_t *word, unsigned index, uint8_t value) {
  *word = (*word & ~(0xFFUL << (8U * index))) | ((uint32_t)value << (8U * index));
}

void board_irq_enable(unsigned irq, uint8_t priority) {
  set_byte(&NVIC_PRIORITIES(irq), irq % 4U, priority);
  NVIC_ENABLE = 1UL << irq;
  settle();
}

void board_irq_pend(unsigned irq) {
  NVIC_PEND = 1UL << irq;
  settle();
}

#define SYSTICK_CONTROL REGISTER(0xE000E010UL)
#define SYSTICK_LOAD REGISTER(0xE000E014UL)
#define SYSTICK_VALUE REGISTER(0xE000E018UL)

void board_systick_start(uint32_t period, uint8_t priority) {
  set_byte(&SYSTEM_PRIORITIES_3, 3, priority);
  SYSTICK_LOAD = period - 1U;
  SYSTICK_VALUE = 0;
  SYSTICK_CONTROL = 0x7; /* enabled, with interrupt, from the core's clock */
}

void board_systick_stop(void) { SYSTICK_CONTROL = 0; }

/* --- UART0 -------------------------------------------------------------------------------- */

#define UART_DATA REGISTER(BOARD_UART0 + 0x0UL)
#define UART_STATE REGISTER(BOARD_UART0 + 0x4UL)
#define UART_CONTROL REGISTER(BOARD_UART0 + 0x8UL)
#define UART_BAUDDIV REGISTER(BOARD_UART0 + 0x10UL)

void board_uart_start(void) {
  UART_BAUDDIV = 16; /* the fastest */
  UART_CONTROL = 1;  /* transmit */
}

bool board_uart_put(uint8_t byte) {
  if ((UART_STATE & 1U) != 0) {
    return false;
  }
  UART_DATA = byte;
  return true;
}
