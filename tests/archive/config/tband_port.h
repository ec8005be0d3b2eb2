/* Time is a count of events, so that every build of the firmware records the same bytes. */
#include <stdint.h>

extern uint32_t archive_test_time;
#define tband_portTIMESTAMP()             ((uint64_t)archive_test_time++)
#define tband_portTIMESTAMP_RESOLUTION_NS (1000)
#include "tband_cortex_m.h"
