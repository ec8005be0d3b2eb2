/* tband port: ESP-IDF on chips with one RISC-V core (ESP32-C2, C3, C5, C6, H2): markers, values and interrupts.
 *
 * Copy it. Add what your backend needs: see the README beside this file. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "esp_timer.h"

/* Microseconds since the start, of 64 bits; goes on in light sleep. From any context. */
#define tband_portTIMESTAMP() ((uint64_t)esp_timer_get_time())
#define tband_portTIMESTAMP_FREQUENCY_HZ 1000000

#include "tband_riscv.h"

#endif /* TBAND_PORT_H */
