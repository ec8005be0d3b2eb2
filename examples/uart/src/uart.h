/* The recording's transport: UART0, by its interrupt. */
#ifndef UART_H_
#define UART_H_

#include <stdbool.h>

/* Before the recording starts. */
void uart_start(void);
/* Checks for packets: call it in the tick. */
void uart_kick(void);
/* Returns true if all packets up to the last kick, and later ones, have been sent. */
bool uart_is_idle(void);

#endif /* UART_H_ */
