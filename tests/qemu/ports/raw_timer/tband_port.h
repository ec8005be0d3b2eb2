/* A port that is wrong on purpose: its time wraps with the 32-bit counter. The tests must notice. */
#include "../../../../examples/bare-metal/config/tband_port.h"

#undef tband_portTIMESTAMP
#define tband_portTIMESTAMP() ((uint64_t)BOARD_COUNTER)
