/* A port that is wrong on purpose: it does not start its timer. The tests must notice. */
#include "../started_timer/tband_port.h"

#undef tband_portTIMESTAMP_START
