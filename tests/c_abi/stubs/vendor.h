/* What the guide's blocks have of the kernel and of an STM32's header. */
#include <stdint.h>
typedef struct {
  volatile uint32_t SR, DR, CR1;
} USART_TypeDef;
extern USART_TypeDef *const USART2;
#define USART_SR_TXE 0x80U
#define USART_SR_RXNE 0x20U
#define USART_CR1_TXEIE 0x80U
#define pdMS_TO_TICKS(ms) (ms)
void vTaskDelay(uint32_t ticks);
void USART2_IRQHandler(void);
void vApplicationTickHook(void);
void usb_task(void *unused);
void trace_task(void *argument);
void vApplicationIdleHook(void);
