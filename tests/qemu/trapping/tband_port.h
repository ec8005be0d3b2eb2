#define tband_portCPU_CLOCK_HZ 100000000
#include "tband_riscv.h"
