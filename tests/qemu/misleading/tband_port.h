/* One core, and a time that counts events. */
#include <stdint.h>

extern uint32_t now;

#define tband_portENTER_CRITICAL_FROM_ANY() ((void)0)
#define tband_portEXIT_CRITICAL_FROM_ANY() ((void)0)
#define tband_portTIMESTAMP() ((uint64_t)now++)
#define tband_portTIMESTAMP_FREQUENCY_HZ 1000000
