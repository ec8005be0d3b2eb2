/* tband port: FreeRTOS on an nRF52, nRF53 or nRF91, GCC or clang, one core; a TIMER of the chip, which keeps running in
 * sleep.
 *
 * Copy it. Add the definitions that your backend needs: see the README beside this file. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include "nrf.h"

/* 1 MHz. For hours with little current take an RTC, of 32768 Hz:
 * #define tband_portNRF_RTC NRF_RTC2
 * #include "tband_nrf_rtc.h" */
#define tband_portNRF_TIMER NRF_TIMER2
#include "tband_nrf_timer.h"

#include "tband_cortex_m_freertos.h"

#endif /* TBAND_PORT_H */
