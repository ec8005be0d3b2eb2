/* The parts of ST's stm32f405xx.h and Arm's core_cm4.h that the example needs, with their names: in your project
 * include those. RM0090. */
#ifndef STM32F405_H_
#define STM32F405_H_

#include <stdint.h>

typedef struct {
  volatile uint32_t MODER, OTYPER, OSPEEDR, PUPDR, IDR, ODR, BSRR, LCKR, AFR[2];
} GPIO_TypeDef;
typedef struct {
  volatile uint32_t CR, PLLCFGR, CFGR, CIR, AHB1RSTR, AHB2RSTR, AHB3RSTR, RESERVED0, APB1RSTR, APB2RSTR, RESERVED1[2];
  volatile uint32_t AHB1ENR, AHB2ENR, AHB3ENR, RESERVED2, APB1ENR, APB2ENR;
} RCC_TypeDef;
typedef struct {
  volatile uint32_t CR1, CR2, SMCR, DIER, SR, EGR, CCMR1, CCMR2, CCER, CNT, PSC, ARR;
} TIM_TypeDef;
typedef struct {
  volatile uint32_t SR, DR, BRR, CR1, CR2, CR3, GTPR;
} USART_TypeDef;
typedef struct {
  volatile uint32_t LISR, HISR, LIFCR, HIFCR;
} DMA_TypeDef;
typedef struct {
  volatile uint32_t CR, NDTR, PAR, M0AR, M1AR, FCR;
} DMA_Stream_TypeDef;

#define TIM2         ((TIM_TypeDef *)0x40000000UL)
#define USART1       ((USART_TypeDef *)0x40011000UL)
#define GPIOA        ((GPIO_TypeDef *)0x40020000UL)
#define RCC          ((RCC_TypeDef *)0x40023800UL)
#define DMA2         ((DMA_TypeDef *)0x40026400UL)
#define DMA2_Stream7 ((DMA_Stream_TypeDef *)0x400264B8UL)

#define RCC_AHB1ENR_GPIOAEN  (1U << 0)
#define RCC_AHB1ENR_DMA2EN   (1U << 22)
#define RCC_APB1ENR_TIM2EN   (1U << 0)
#define RCC_APB2ENR_USART1EN (1U << 4)
#define TIM_CR1_CEN          (1U << 0)
#define TIM_EGR_UG           (1U << 0)
#define USART_SR_TXE         (1U << 7)
#define USART_CR1_TE         (1U << 3)
#define USART_CR1_TXEIE      (1U << 7)
#define USART_CR1_UE         (1U << 13)
#define USART_CR3_DMAT       (1U << 7)
#define DMA_SxCR_EN          (1U << 0)
#define DMA_SxCR_TEIE        (1U << 2)
#define DMA_SxCR_TCIE        (1U << 4)
#define DMA_SxCR_DIR_0       (1U << 6) /* from memory to a peripheral */
#define DMA_SxCR_MINC        (1U << 10)
#define DMA_SxCR_CHSEL_Pos   25
#define DMA_HISR_FEIF7       (1U << 22)
#define DMA_HISR_DMEIF7      (1U << 24)
#define DMA_HISR_TEIF7       (1U << 25)
#define DMA_HISR_HTIF7       (1U << 26)
#define DMA_HISR_TCIF7       (1U << 27)

typedef enum { USART1_IRQn = 37, DMA2_Stream7_IRQn = 70 } IRQn_Type;

static inline void NVIC_EnableIRQ(IRQn_Type irq) {
  ((volatile uint32_t *)0xE000E100UL)[(unsigned)irq / 32U] = 1UL << ((unsigned)irq % 32U);
}
static inline void NVIC_SetPendingIRQ(IRQn_Type irq) {
  ((volatile uint32_t *)0xE000E200UL)[(unsigned)irq / 32U] = 1UL << ((unsigned)irq % 32U);
}
/* 0 to 15, the lowest. */
static inline void NVIC_SetPriority(IRQn_Type irq, uint32_t priority) {
  ((volatile uint8_t *)0xE000E400UL)[irq] = (uint8_t)(priority << 4);
}

/* SysTick, every `period` cycles, at most 2^24. */
static inline void SysTick_Config(uint32_t period) {
  volatile uint32_t *const registers = (volatile uint32_t *)0xE000E010UL;
  registers[1] = period - 1U;
  registers[2] = 0;
  registers[0] = 7; /* on, with interrupt, from the core's clock */
}

#endif /* STM32F405_H_ */
