/* The mock of a kernel: the functions that the port beside this file uses; they count their calls. */
#ifndef FREERTOS_H
#define FREERTOS_H

#include <stdint.h>

typedef long BaseType_t;
typedef unsigned long UBaseType_t;

extern int kernel_in_interrupt;
extern int kernel_task_sections;
extern int kernel_interrupt_sections;
void stream_print(void);

BaseType_t xPortIsInsideInterrupt(void);
void vKernelEnter(void);
void vKernelExit(void);
UBaseType_t ulKernelEnterFromISR(void);
void vKernelExitFromISR(UBaseType_t key);

#endif
