/* What the shared application in examples/freertos-app wants to know of this platform: ids of interrupts.
 * Those of the core are their codes in mcause. */
#ifndef PLATFORM_H_
#define PLATFORM_H_

enum { ISR_UART = 3, ISR_TICK = 7, ISR_DMA = 16 };

#endif /* PLATFORM_H_ */
