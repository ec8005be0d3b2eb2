/* Sends packets over a UART by its interrupt "transmitter empty". Nothing waits: a line that is too slow costs events,
 * which are counted.
 *
 * Include it in the one C file that has the UART's handler. For example, on an STM32:
 *
 *   #define tband_sendUART_IS_FREE() ((USART2->SR & USART_SR_TXE) != 0U)
 *   #define tband_sendUART_PUT(byte) (USART2->DR = (byte))
 *   #define tband_sendUART_IRQ_ON()  (USART2->CR1 |= USART_CR1_TXEIE)
 *   #define tband_sendUART_IRQ_OFF() (USART2->CR1 &= ~USART_CR1_TXEIE)
 *   #include "senders/tband_send_uart_irq.h"
 *
 *   void USART2_IRQHandler(void) { tband_send_uart_handler(); }
 *   void vApplicationTickHook(void) { tband_send_uart_kick(); }
 *
 * A UART whose interrupt comes only when the transmitter has become empty, and not while it is, needs a first one: let
 * tband_sendUART_IRQ_ON() pend it, NVIC_SetPendingIRQ(USART2_IRQn). Give the interrupt a low priority: once a packet it
 * works out the check. Record neither its entry nor its exit: that would record what sends the recording. */
#ifndef TBAND_SEND_UART_IRQ_H
#define TBAND_SEND_UART_IRQ_H

#include "tband_send.h"

/* Maximum number of bytes that one interrupt writes to the UART: the size of its FIFO. */
#ifndef tband_sendUART_BURST
#define tband_sendUART_BURST 16
#endif

static struct {
  const uint8_t *at; /* the next byte */
  size_t left;       /* bytes of the packet from there on */
  volatile bool is_idle;
} tband_send_uart;

/** Continues sending. Context: the UART's interrupt only. Cost: about 20 cycles per byte, and once per packet
 * tband_packet_take(). */
static inline void tband_send_uart_handler(void) {
  for (unsigned int burst = 0; (burst < (tband_sendUART_BURST)) && tband_sendUART_IS_FREE(); burst++) {
    if (tband_send_uart.left == 0U) {
      tband_send_uart.at = tband_packet_take(&tband_send_uart.left);
      if (tband_send_uart.at == NULL) {
        tband_send_uart.left = 0;
        tband_sendUART_IRQ_OFF();
        tband_send_uart.is_idle = true;
        return;
      }
    }
    tband_sendUART_PUT(*tband_send_uart.at);
    tband_send_uart.at++;
    tband_send_uart.left--;
    if (tband_send_uart.left == 0U) {
      tband_packet_done();
    }
  }
}

/** Checks for packets by enabling the interrupt. Call it regularly, for example in the tick; each call costs an
 * interrupt. Context: any. */
static inline void tband_send_uart_kick(void) {
  tband_send_uart.is_idle = false;
  tband_sendUART_IRQ_ON();
}

/** Since the last kick the UART was given all there was. For the end: stop recording, kick, and wait for it. */
static inline bool tband_send_uart_is_idle(void) { return tband_send_uart.is_idle; }

#endif /* TBAND_SEND_UART_IRQ_H */
