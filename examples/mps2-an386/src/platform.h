/* The values that the shared application in ../freertos-app needs from this platform: ids of
 * interrupts, here the numbers of the exceptions. */
#ifndef PLATFORM_H_
#define PLATFORM_H_

enum { UART_IRQ = 20, DMA_IRQ = 21 }; /* not used by the board */
enum { ISR_TICK = 15, ISR_UART = 16 + UART_IRQ, ISR_DMA = 16 + DMA_IRQ };

#endif /* PLATFORM_H_ */
