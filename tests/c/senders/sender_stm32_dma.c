/* The DMA sender of examples/stm32f405 against a model of an STM32F4's DMA stream 7 with USART1 (RM0090, 10.3): a
 * stream that takes its time, and fails at times. */
#include "sender.h"
#include "stm32f405.h"

GPIO_TypeDef GPIOA[1];
RCC_TypeDef RCC[1];
USART_TypeDef USART1[1];
DMA_TypeDef DMA2[1];
DMA_Stream_TypeDef DMA2_Stream7[1];

static bool is_enabled; /* in the NVIC */
static bool is_pending;
static uint8_t sent[1 << 22];
static size_t count;

void NVIC_EnableIRQ(IRQn_Type irq) {
  CHECK_EQ(irq, 70);
  is_enabled = true;
}
void NVIC_SetPendingIRQ(IRQn_Type irq) {
  CHECK_EQ(irq, 70);
  is_pending = true;
}
void NVIC_SetPriority(IRQn_Type irq, uint32_t priority) {
  CHECK_EQ(irq, 70);
  CHECK_EQ(priority, 15);
}

#include "../../../examples/stm32f405/src/uart_dma.c"

/* The bytes of the transfer so far; M0AR does not change during it. */
static uint32_t moved;
static uint32_t length;

static void interrupt(void) {
  is_pending = false;
  const bool ran = (DMA2_Stream7->CR & DMA_SxCR_EN) != 0U;
  const uint32_t before = DMA2_Stream7->NDTR;
  DMA2_Stream7_IRQHandler();
  DMA2->HISR &= ~DMA2->HIFCR;
  DMA2->HIFCR = 0;
  if (ran) {
    CHECK_EQ(DMA2_Stream7->NDTR, before); /* it is not written to while it runs */
  } else if ((DMA2_Stream7->CR & DMA_SxCR_EN) != 0U) {
    CHECK_EQ(DMA2->HISR, 0); /* else it would not start */
    CHECK_EQ(DMA2_Stream7->CR & ~DMA_SxCR_EN, (4U << 25) | (1U << 10) | (1U << 6) | (1U << 4) | (1U << 2));
    CHECK(DMA2_Stream7->PAR == (uintptr_t)&USART1->DR);
    CHECK((USART1->CR3 & USART_CR3_DMAT) != 0U && (RCC->AHB1ENR & RCC_AHB1ENR_DMA2EN) != 0U);
    moved = 0;
    length = DMA2_Stream7->NDTR;
    CHECK(length > 0U && length < 65536U);
  }
}

static void line(uint32_t bytes) {
  for (; bytes > 0U; bytes--) {
    if ((DMA2_Stream7->CR & DMA_SxCR_EN) != 0U) {
      if (any(20000) == 0U) {
        DMA2->HISR |= DMA_HISR_TEIF7;
        DMA2_Stream7->CR &= ~DMA_SxCR_EN;
      } else {
        sent[count] = ((const uint8_t *)DMA2_Stream7->M0AR)[moved];
        count++;
        moved++;
        DMA2_Stream7->NDTR = length - moved;
        DMA2->HISR |= (moved == length / 2U) ? DMA_HISR_HTIF7 : 0U;
        if (moved == length) {
          DMA2->HISR |= DMA_HISR_TCIF7;
          DMA2_Stream7->CR &= ~DMA_SxCR_EN;
        }
      }
    }
    /* The line of the interrupt is up as long as a flag is that is enabled. */
    const bool is_raised = (DMA2->HISR & (DMA_HISR_TCIF7 | DMA_HISR_TEIF7)) != 0U;
    if (is_enabled && (is_pending || is_raised)) {
      interrupt();
    }
  }
}

int main(void) {
  uart_start();
  CHECK_EQ(USART1->BRR, 32);
  start();
  for (uint32_t turn = 0; turn < 3000U; turn++) {
    record(any(60));
    if (any(3) == 0U) {
      tick();
      uart_kick();
    }
    line(any(turn % 500U < 100U ? 20U : 400U));
  }
  CHECK_EQ(tband_stop_streaming(), 0);
  for (uint32_t bytes = 0; bytes == 0U || !uart_is_idle(); bytes++) {
    if (bytes % 1000U == 0U) {
      uart_kick();
    }
    line(1);
  }
  fake_print(sent, count);
  sender_ends();
  return 0;
}
