/* The values that the shared application in ../freertos-app needs from this platform: ids of
 * interrupts. */
#ifndef PLATFORM_H_
#define PLATFORM_H_

enum { ISR_TICK = 1, ISR_UART = 2, ISR_DMA = 3 };

#endif /* PLATFORM_H_ */
