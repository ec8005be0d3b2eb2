/* Sends packets over a UART, an SPI or another peripheral that a DMA writes to: from the ring, without a copy, with one
 * interrupt per packet. Nothing waits: a line that is too slow costs events, which are counted.
 *
 * Include it in the one C file that has the handler of the DMA's channel:
 *
 *   #define tband_sendDMA_START(data, len) my_dma_start((data), (len))   sends these bytes, and interrupts at their end
 *   #define tband_sendDMA_STATE()          my_dma_state()                TBAND_DMA_RUNS, _ENDED or _FAILED; clears the
 *   flags #define tband_sendDMA_PEND()           NVIC_SetPendingIRQ(DMA1_Stream6_IRQn)
 *   #include "senders/tband_send_uart_dma.h"
 *
 *   void DMA1_Stream6_IRQHandler(void) { tband_send_dma_handler(); }
 *   void vApplicationTickHook(void) { tband_send_dma_kick(); }
 *
 * examples/stm32f405 has these for an STM32F4. The packets have to be where the DMA can read: not in an STM32F4's CCM,
 * nor in an STM32H7's DTCM. With a data cache my_dma_start() cleans it first, for example with
 * SCB_CleanDCache_by_Addr(); packets begin and end within cache lines that others use, which cleaning does not harm.
 * Low priority: the interrupt computes the checksum of a packet. */
#ifndef TBAND_SEND_UART_DMA_H
#define TBAND_SEND_UART_DMA_H

#include "tband_send.h"

/* States of a transfer. */
#define TBAND_DMA_RUNS 0
#define TBAND_DMA_ENDED 1
#define TBAND_DMA_FAILED 2

static struct {
  bool is_busy; /* a transfer was started */
  volatile bool is_idle;
} tband_send_dma;

/** Releases a packet that was sent, and sends the next. Context: the DMA's interrupt only, which may be spurious. Cost:
 * tband_packet_take(). */
static inline void tband_send_dma_handler(void) {
  if (tband_send_dma.is_busy) {
    const int state = tband_sendDMA_STATE();
    if (state == TBAND_DMA_RUNS) {
      return;
    }
    tband_send_dma.is_busy = false;
    if (state == TBAND_DMA_FAILED) {
      return; /* the packet is sent again, but not before the next kick: it might fail each time */
    }
    tband_packet_done();
  }
  size_t len;
  const uint8_t *const packet = tband_packet_take(&len);
  if (packet == NULL) {
    tband_send_dma.is_idle = true;
  } else {
    tband_send_dma.is_busy = true;
    tband_sendDMA_START(packet, len);
  }
}

/** Checks for packets by pending the interrupt. Call it regularly, for example in the tick; each call costs an
 * interrupt. Context: any. */
static inline void tband_send_dma_kick(void) {
  tband_send_dma.is_idle = false;
  tband_sendDMA_PEND();
}

/** Since the last kick all there was has been sent. For the end: stop recording, kick, and wait for it. */
static inline bool tband_send_dma_is_idle(void) { return tband_send_dma.is_idle; }

#endif /* TBAND_SEND_UART_DMA_H */
