/* tband port: FreeRTOS's Windows simulator, the kernel port MSVC-MingW. Each task is a thread, of which the kernel lets
 * one run; a thread of the kernel runs the simulated interrupts.
 *
 * Copy it. Add the definitions that your backend needs: see the README beside this file. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include <stdbool.h>
#include <stdint.h>

/* Whose portmacro.h includes windows.h, after the headers that have to come first. */
#include "FreeRTOS.h"

/* Timer: QueryPerformanceCounter(), the same for all threads. It does not wrap. */
static inline uint64_t tband_port_time(void) {
  LARGE_INTEGER now;
  (void)QueryPerformanceCounter(&now);
  return (uint64_t)now.QuadPart;
}
static inline uint32_t tband_port_timer_hz(void) {
  LARGE_INTEGER hz;
  (void)QueryPerformanceFrequency(&hz);
  return (uint32_t)hz.QuadPart;
}
#define tband_portTIMESTAMP() tband_port_time()
#define tband_portTIMESTAMP_RAW() ((uint32_t)tband_port_time())
#define tband_portTIMESTAMP_FREQUENCY_HZ tband_port_timer_hz()

/* Critical section: the kernel's, a mutex that keeps the simulated interrupts out. It nests, and tasks and simulated
 * interrupts may enter it. Threads that are neither must not record. */
void vPortEnterCritical(void);
void vPortExitCritical(void);
#define tband_portENTER_CRITICAL_FROM_ANY() vPortEnterCritical()
#define tband_portEXIT_CRITICAL_FROM_ANY() vPortExitCritical()

/* The kernel simulates one core. */
#define tband_portNUMBER_OF_CORES 1
#define tband_portGET_CORE_ID() 0

#endif /* TBAND_PORT_H */
