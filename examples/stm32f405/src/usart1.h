/* USART1 at 500 000 Bd, 8N1, on PA9, from the 16 MHz that the chip starts with. */
#ifndef USART1_H_
#define USART1_H_

#include "stm32f405.h"

static inline void usart1_start(void) {
  RCC->AHB1ENR |= RCC_AHB1ENR_GPIOAEN;
  RCC->APB2ENR |= RCC_APB2ENR_USART1EN;
  GPIOA->AFR[1] = (GPIOA->AFR[1] & ~(0xFU << 4)) | (7U << 4);   /* PA9: USART1_TX */
  GPIOA->MODER = (GPIOA->MODER & ~(3U << 18)) | (2U << 18);     /* an alternate function */
  GPIOA->OSPEEDR = (GPIOA->OSPEEDR & ~(3U << 18)) | (1U << 18); /* for up to 25 MHz */
  USART1->BRR = 32; /* 16 MHz / 500 kBd */
  USART1->CR1 = USART_CR1_UE | USART_CR1_TE;
}

#endif /* USART1_H_ */
