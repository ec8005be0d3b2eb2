/* The recording's way out: USART1, PA9. It is in uart_dma.c or in uart_interrupt.c, as CMakeLists.txt says. */
#ifndef UART_H_
#define UART_H_

#include <stdbool.h>

/* Before the recording starts. */
void uart_start(void);
/* Looks for packets: call it in the tick. */
void uart_kick(void);
/* All there was at the last kick has been sent, and what came since. */
bool uart_is_idle(void);

#endif /* UART_H_ */
