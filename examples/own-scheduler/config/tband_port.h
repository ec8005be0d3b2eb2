/* Linux, where no interrupt can interrupt this program. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include <stdint.h>
#include <time.h>

static inline uint64_t tband_port_time(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return ((uint64_t)now.tv_sec * 1000000000U) + (uint64_t)now.tv_nsec;
}
#define tband_portTIMESTAMP() tband_port_time()
#define tband_portTIMESTAMP_FREQUENCY_HZ 1000000000
#define tband_portENTER_CRITICAL_FROM_ANY() ((void)0)
#define tband_portEXIT_CRITICAL_FROM_ANY() ((void)0)

#endif
