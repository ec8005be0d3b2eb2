/*
 * The devices of an MPS2 board that the examples use, and how a program ends. All functions may be
 * called in any context unless their comment states otherwise.
 */
#ifndef BOARD_H_
#define BOARD_H_

#include <stdbool.h>
#include <stdint.h>

#if defined(BOARD_AN505) /* the core starts in the secure state: addresses of that state */
enum { BOARD_CLOCK_HZ = 20000000 };
#define BOARD_TIMERS 0x50000000UL
#define BOARD_UART0  0x50200000UL
#define BOARD_FPGAIO 0x50302000UL
#elif defined(BOARD_AN547) /* likewise; its timers are others */
enum { BOARD_CLOCK_HZ = 32000000 };
#define BOARD_TIMERS 0x58000000UL
#define BOARD_UART0  0x59303000UL
#define BOARD_FPGAIO 0x59302000UL
#else
enum { BOARD_CLOCK_HZ = 25000000 };
#define BOARD_TIMERS 0x40000000UL
#define BOARD_UART0  0x40004000UL
#define BOARD_FPGAIO 0x40028000UL
#endif

/* Puts a variable into the big memory. It is not zeroed at start-up. */
#define BOARD_PSRAM __attribute__((section(".psram")))

/* --- Timers, all at BOARD_CLOCK_HZ ------------------------------------------------ */

/* The board's 32-bit up counter, which runs from power-on. It can be set. */
#define BOARD_COUNTER (*(volatile uint32_t *)(BOARD_FPGAIO + 0x18UL))

/* A second clock, for checks: counts since it was started. */
void board_clock_start(void);
uint32_t board_clock(void);

/* Interrupts from a timer, every `period` counts; a handler calls board_timer_clear(). */
enum board_timer { BOARD_TIMER0 = 0, BOARD_TIMER1 = 1 };
enum { BOARD_TIMER0_IRQ = 8, BOARD_TIMER1_IRQ = 9 }; /* other ones on AN505 */
void board_timer_start(enum board_timer timer, uint32_t period);
void board_timer_stop(enum board_timer timer);
void board_timer_clear(enum board_timer timer);

/* --- Interrupts: IRQn_Handler() in your program handles number n ------------------- */

void board_irq_enable(unsigned irq, uint8_t priority);
/* Pends an interrupt as if the device had raised it. If its priority allows, its handler runs
 * before this returns. */
void board_irq_pend(unsigned irq);
/* Disables all interrupts; not for code that may run with interrupts disabled already. */
static inline void board_interrupts_off(void) { __asm volatile("cpsid i" ::: "memory"); }
static inline void board_interrupts_on(void) { __asm volatile("cpsie i\n\tisb" ::: "memory"); }
/* SysTick, every `period` counts of the core's clock, in SysTick_Handler(). */
void board_systick_start(uint32_t period, uint8_t priority);
void board_systick_stop(void);

/* --- UART0, for output ------------------------------------------------------------------ */

void board_uart_start(void);
/* False if the transmitter is busy. */
bool board_uart_put(uint8_t byte);

/* --- The end: does not return ----------------------------------------------------------- */

/* Prints what went wrong and where, and ends with status 1. */
__attribute__((noreturn)) void board_failed(const char *what, const char *file, int line);

#endif /* BOARD_H_ */
