/* Configuration of the example in examples/mps2-an386 for kernels before V10.3: what they call otherwise, and
 * what they lack of the functions that the program of the example uses (real.c). */
#ifndef OLD_KERNEL_CONFIG_H
#define OLD_KERNEL_CONFIG_H

#define configUSE_16_BIT_TICKS 0 /* V10.6: configTICK_TYPE_WIDTH_IN_BITS */
#define INCLUDE_vTaskDelayUntil 1
/* V10.4 returns whether there was a wait; V10.5 has a function for the priority without inheritance. */
#define xTaskDelayUntil(previous, period) old_kernel_delay_until((previous), (period))
#define uxTaskBasePriorityGet(task) old_kernel_base_priority(task)

#include "../../../examples/mps2-an386/FreeRTOSConfig.h"

#endif
