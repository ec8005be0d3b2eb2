/*
 * USART1, by its interrupt. See uart.h.
 */
#include "uart.h"

#include "usart1.h"

/* QEMU before 8.2 has no interrupt "transmitter empty", so it is pended at each kick, and must send more at a
 * time. */
#if IN_QEMU
#define tband_sendUART_BURST 200
#endif
static void interrupt_on(void) {
  USART1->CR1 |= USART_CR1_TXEIE;
  NVIC_SetPendingIRQ(USART1_IRQn);
}

#define tband_sendUART_IS_FREE() ((USART1->SR & USART_SR_TXE) != 0U)
#define tband_sendUART_PUT(byte) (USART1->DR = (byte))
#define tband_sendUART_IRQ_ON()  interrupt_on()
#define tband_sendUART_IRQ_OFF() (USART1->CR1 &= ~USART_CR1_TXEIE)
#include "senders/tband_send_uart_irq.h"

void USART1_IRQHandler(void);
void USART1_IRQHandler(void) { tband_send_uart_handler(); }

void uart_start(void) {
  usart1_start();
  NVIC_SetPriority(USART1_IRQn, 15);
  NVIC_EnableIRQ(USART1_IRQn);
}

void uart_kick(void) { tband_send_uart_kick(); }

bool uart_is_idle(void) { return tband_send_uart_is_idle(); }
