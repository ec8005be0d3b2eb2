/* What tband_nrf_timer.h and tband_nrf_rtc.h take of the chip's header. Names as in the Product Specification, 6.22,
 * 6.30. */
#ifndef FAKE_NRF_H
#define FAKE_NRF_H

#include <stdint.h>

typedef struct {
  volatile uint32_t TASKS_START, TASKS_STOP, TASKS_CLEAR;
  volatile uint32_t TASKS_CAPTURE[6];
  volatile uint32_t MODE, BITMODE, PRESCALER;
  volatile uint32_t CC[6];
} NRF_TIMER_Type;

typedef struct {
  volatile uint32_t TASKS_START;
  const volatile uint32_t COUNTER;
} NRF_RTC_Type;

/* Each access is seen. */
NRF_TIMER_Type *fake_timer2(void);
NRF_RTC_Type *fake_rtc2(void);
#define NRF_TIMER2 fake_timer2()
#define NRF_RTC2 fake_rtc2()

#endif
