/* A port that is wrong on purpose: nothing keeps interrupts out of the recorder. The tests must notice. */
#include "../../../../examples/mps2-an386/config/tband_port.h"

#undef tband_portENTER_CRITICAL_FROM_ANY
#undef tband_portEXIT_CRITICAL_FROM_ANY
#define tband_portENTER_CRITICAL_FROM_ANY() __asm volatile("" ::: "memory")
#define tband_portEXIT_CRITICAL_FROM_ANY() __asm volatile("" ::: "memory")
