/* tband port: ESP-IDF, all chips, on one core or both. The component of ESP-IDF has it on its include path. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "esp_timer.h"

/* Microseconds since the start, 64 bits, the same on both cores; keeps counting in light sleep. From any context. */
#define tband_portTIMESTAMP() ((uint64_t)esp_timer_get_time())
#define tband_portTIMESTAMP_FREQUENCY_HZ 1000000

/* The number of the core from its register, as xPortGetCoreID() has it, because bare markers need no header of the
 * kernel. */
#if defined(TBAND_ESP_IDF_CORES) && (TBAND_ESP_IDF_CORES > 1)
static inline uint32_t tband_port_core_id(void) {
  uint32_t number;
#if defined(__XTENSA__)
  __asm volatile("rsr.prid %0\n\textui %0, %0, 13, 1" : "=r"(number));
#else
  __asm volatile("csrr %0, mhartid" : "=r"(number));
#endif
  return number;
}
#define tband_portNUMBER_OF_CORES TBAND_ESP_IDF_CORES
#define tband_portGET_CORE_ID() tband_port_core_id()
#endif

#if defined(__XTENSA__)
#include "tband_xtensa.h"
#else
#include "tband_riscv.h"
#endif

#endif /* TBAND_PORT_H */
