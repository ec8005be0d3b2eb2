/* Functions of newer kernels that the program of the example uses, by means of older ones. Included before
 * everything in its files. */
#ifndef OLD_KERNEL_OLDER_H
#define OLD_KERNEL_OLDER_H

#include "FreeRTOS.h"
#include "task.h"

BaseType_t old_kernel_delay_until(TickType_t *previous, TickType_t period);
UBaseType_t old_kernel_base_priority(TaskHandle_t task);

#endif
