/*
 * The handlers of the two devices, in C++: names in the vector table are C's, and so are the recorder's
 * hooks, which portYIELD_FROM_ISR() calls.
 */
#include "FreeRTOS.h"
#include "task.h"

extern "C" {
/* The application's part, see app.h: true if a task of a higher priority is ready. */
bool uart_isr(void);
bool dma_isr(void);

void IRQ20_Handler(void);
void IRQ21_Handler(void);
}

void IRQ20_Handler(void) { portYIELD_FROM_ISR(uart_isr() ? pdTRUE : pdFALSE); }

void IRQ21_Handler(void) { portYIELD_FROM_ISR(dma_isr() ? pdTRUE : pdFALSE); }
