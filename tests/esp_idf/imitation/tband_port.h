/* The fake port, with as many cores as the imitation. */
#define tband_portNUMBER_OF_CORES IMITATION_CORES
#include "../../c/fake_port/tband_port.h"
