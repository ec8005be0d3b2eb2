/*
 * USART1, by DMA2's stream 7, channel 4 (RM0090, table 43). See uart.h. It reads SRAM, not the CCM.
 */
#include "uart.h"

#include <stddef.h>

#include "usart1.h"

enum { USART1_TX_CHANNEL = 4 };

/* Those of stream 7. */
#define FLAGS (DMA_HISR_FEIF7 | DMA_HISR_DMEIF7 | DMA_HISR_TEIF7 | DMA_HISR_HTIF7 | DMA_HISR_TCIF7)

static void dma_start(const uint8_t *data, size_t len) {
  DMA2->HIFCR = FLAGS; /* the stream does not start with flags of the last transfer */
  DMA2_Stream7->M0AR = (uintptr_t)data;
  DMA2_Stream7->NDTR = (uint32_t)len;
  DMA2_Stream7->CR = ((uint32_t)USART1_TX_CHANNEL << DMA_SxCR_CHSEL_Pos) | DMA_SxCR_MINC | DMA_SxCR_DIR_0 |
                     DMA_SxCR_TCIE | DMA_SxCR_TEIE | DMA_SxCR_EN;
}

static int dma_state(void);

#define tband_sendDMA_START(data, len) dma_start((data), (len))
#define tband_sendDMA_STATE()          dma_state()
#define tband_sendDMA_PEND()           NVIC_SetPendingIRQ(DMA2_Stream7_IRQn)
#include "senders/tband_send_uart_dma.h"

static int dma_state(void) {
  const uint32_t flags = DMA2->HISR & FLAGS;
  DMA2->HIFCR = flags;
  if ((flags & DMA_HISR_TEIF7) != 0U) { /* the stream is off then */
    return TBAND_DMA_FAILED;
  }
  return ((flags & DMA_HISR_TCIF7) != 0U) ? TBAND_DMA_ENDED : TBAND_DMA_RUNS;
}

void DMA2_Stream7_IRQHandler(void);
void DMA2_Stream7_IRQHandler(void) { tband_send_dma_handler(); }

void uart_start(void) {
  usart1_start();
  RCC->AHB1ENR |= RCC_AHB1ENR_DMA2EN;
  DMA2_Stream7->PAR = (uintptr_t)&USART1->DR;
  USART1->CR3 = USART_CR3_DMAT;
  NVIC_SetPriority(DMA2_Stream7_IRQn, 15);
  NVIC_EnableIRQ(DMA2_Stream7_IRQn);
}

void uart_kick(void) { tband_send_dma_kick(); }

bool uart_is_idle(void) { return tband_send_dma_is_idle(); }
