/* The registers of examples/stm32f405/chip/stm32f405.h that the DMA sender uses, as memory of the test program.
 * Addresses are as wide as this machine's. */
#ifndef STM32F405_H_
#define STM32F405_H_

#include <stdint.h>

typedef struct {
  volatile uint32_t MODER, OSPEEDR, AFR[2];
} GPIO_TypeDef;
typedef struct {
  volatile uint32_t AHB1ENR, APB2ENR;
} RCC_TypeDef;
typedef struct {
  volatile uint32_t SR, DR, BRR, CR1, CR3;
} USART_TypeDef;
typedef struct {
  volatile uint32_t HISR, HIFCR;
} DMA_TypeDef;
typedef struct {
  volatile uint32_t CR, NDTR;
  volatile uintptr_t PAR, M0AR;
} DMA_Stream_TypeDef;

extern GPIO_TypeDef GPIOA[1];
extern RCC_TypeDef RCC[1];
extern USART_TypeDef USART1[1];
extern DMA_TypeDef DMA2[1];
extern DMA_Stream_TypeDef DMA2_Stream7[1];

#define RCC_AHB1ENR_GPIOAEN (1U << 0)
#define RCC_AHB1ENR_DMA2EN (1U << 22)
#define RCC_APB2ENR_USART1EN (1U << 4)
#define USART_CR1_TE (1U << 3)
#define USART_CR1_UE (1U << 13)
#define USART_CR3_DMAT (1U << 7)
#define DMA_SxCR_EN (1U << 0)
#define DMA_SxCR_TEIE (1U << 2)
#define DMA_SxCR_TCIE (1U << 4)
#define DMA_SxCR_DIR_0 (1U << 6)
#define DMA_SxCR_MINC (1U << 10)
#define DMA_SxCR_CHSEL_Pos 25
#define DMA_HISR_FEIF7 (1U << 22)
#define DMA_HISR_DMEIF7 (1U << 24)
#define DMA_HISR_TEIF7 (1U << 25)
#define DMA_HISR_HTIF7 (1U << 26)
#define DMA_HISR_TCIF7 (1U << 27)

typedef enum { DMA2_Stream7_IRQn = 70 } IRQn_Type;
void NVIC_EnableIRQ(IRQn_Type irq);
void NVIC_SetPendingIRQ(IRQn_Type irq);
void NVIC_SetPriority(IRQn_Type irq, uint32_t priority);

#endif /* STM32F405_H_ */
