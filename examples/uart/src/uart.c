/*
 * The UART of the board (Arm's CMSDK: one byte, and an interrupt when it has been sent), and the sender. See uart.h.
 */
#include "uart.h"

#include "board.h"

#define UART_DATA     (*(volatile uint32_t *)(BOARD_UART0 + 0x0UL))
#define UART_STATE    (*(volatile uint32_t *)(BOARD_UART0 + 0x4UL))
#define UART_CONTROL  (*(volatile uint32_t *)(BOARD_UART0 + 0x8UL))
#define UART_INTCLEAR (*(volatile uint32_t *)(BOARD_UART0 + 0xCUL))

enum { UART_TX_IRQ = 1, UART_PRIORITY = 0xE0 }; /* the lowest of all */

/* The macros that the sender needs. The interrupt comes when a byte has been sent, so the first one must be
 * pended. */
#define tband_sendUART_IS_FREE() ((UART_STATE & 1U) == 0U)
#define tband_sendUART_PUT(byte) (UART_DATA = (byte))
#define tband_sendUART_IRQ_ON()  board_irq_pend(UART_TX_IRQ)
#define tband_sendUART_IRQ_OFF() ((void)0)
#include "senders/tband_send_uart_irq.h"

void IRQ1_Handler(void);
void IRQ1_Handler(void) {
  UART_INTCLEAR = 1;
  tband_send_uart_handler();
}

void uart_start(void) {
  board_uart_start();
  UART_CONTROL = 1U | (SLOW_LINE ? 0U : 4U); /* transmit, with interrupt; without it each tick sends 16 bytes */
  board_irq_enable(UART_TX_IRQ, UART_PRIORITY);
}

void uart_kick(void) { tband_send_uart_kick(); }

bool uart_is_idle(void) { return tband_send_uart_is_idle(); }
