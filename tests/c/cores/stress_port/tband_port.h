/* A port whose cores are threads, and whose interrupts are signals. Inside a critical section a signal that comes is
 * noted, and its handler runs at the end of the section, as a pending interrupt does. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What belongs to a core. */
struct stress_core {
  uint32_t number;
  volatile sig_atomic_t masked;
  volatile sig_atomic_t pending; /* a bit for each interrupt */
};
extern _Thread_local struct stress_core stress_this;

uint64_t stress_time(void);
void stress_pending(void);
bool stress_send(const uint8_t *data, size_t len);

#define tband_portTIMESTAMP() stress_time()
#define tband_portTIMESTAMP_RESOLUTION_NS 1
#define tband_portENTER_CRITICAL_FROM_ANY()                    \
  const sig_atomic_t tband_port_masked = stress_this.masked; \
  stress_this.masked = 1;                                      \
  __asm__ volatile("" ::: "memory")
#define tband_portEXIT_CRITICAL_FROM_ANY()                    \
  do {                                                        \
    __asm__ volatile("" ::: "memory");                        \
    stress_this.masked = tband_port_masked;                   \
    if (tband_port_masked == 0 && stress_this.pending != 0) { \
      stress_pending();                                       \
    }                                                         \
  } while (0)
#define tband_portNUMBER_OF_CORES STRESS_CORES
#define tband_portGET_CORE_ID() stress_this.number
#if !STRESS_PACKETS
#define tband_portBACKEND_STREAM_DATA(buf, len) stress_send((buf), (len))
#endif

#endif
