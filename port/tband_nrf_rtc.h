/* Timestamps from an RTC of an nRF52, nRF53 or nRF91: 32768 Hz, for recordings of hours with little current. Events
 * within 30 us have one time. It keeps running in System ON sleep.
 *
 * Include it in tband_port.h, before the header of the core and after the chip's own header, whose names it uses:
 *
 *   #include "nrf.h"
 *   #define tband_portNRF_RTC NRF_RTC2
 *   #include "tband_nrf_rtc.h"
 *   #include "tband_cortex_m_freertos.h"
 *
 * The recorder starts it; its clock, LFCLK, has to run, as it does with a SoftDevice or with the kernel's tick by an
 * RTC. Nothing else may use it: NRF_RTC0 belongs to the SoftDevice, NRF_RTC1 is the tick of nRF5 SDK's FreeRTOS.
 * It has 24 bits, and has to be read every 512 s: the kernel's tick does that.
 * Registers: nRF52840 Product Specification, 6.22 "RTC". */
#ifndef TBAND_NRF_RTC_H
#define TBAND_NRF_RTC_H

#include "tband_extend32.h"

/* The RTC, as the chip's header calls it. */
#ifndef tband_portNRF_RTC
#define tband_portNRF_RTC NRF_RTC2
#endif

static tband_extend32_state tband_port_nrf_rtc_state;

/** The count as 64 bits. The 24 bits of the counter are the upper ones of 32, so that they wrap as 32 do. */
static inline uint64_t tband_port_nrf_rtc(void) {
  return tband_extend32(&tband_port_nrf_rtc_state, tband_portNRF_RTC->COUNTER << 8) >> 8;
}

#define tband_portTIMESTAMP() tband_port_nrf_rtc()
#define tband_portTIMESTAMP_ADD_WRAPS(wraps) tband_extend32_add_wraps(&tband_port_nrf_rtc_state, (wraps))
#define tband_portTIMESTAMP_WRAP_BITS 24
#define tband_portTIMESTAMP_FREQUENCY_HZ 32768
/* The prescaler is 0 after a reset. To start an RTC that runs does no harm. */
#define tband_portTIMESTAMP_START() (tband_portNRF_RTC->TASKS_START = 1)

#endif /* TBAND_NRF_RTC_H */
