/* The timers of chips on memory in place of their registers: each access of a register goes through a function that
 * does what the chip does with the last one. Which chip is a definition. */
#include "../c/check.h"
#include "timer.h"

#if defined(CHIP_STM32)

static TIM_TypeDef tim;
static unsigned int enabled;

/* An update takes the prescaler, empties the count and sets its flag. */
TIM_TypeDef *fake_tim2(void) {
  if (tim.EGR != 0U) {
    CHECK_EQ(tim.EGR, TIM_EGR_UG);
    tim.EGR = 0;
    tim.CNT = 0;
    tim.SR = 1;
  }
  return &tim;
}

void fake_clock_enable(void) { enabled++; }

int main(void) {
  tim.CR1 = 0x10; /* counts down */
  tim.ARR = 999;
  tim.CNT = 7;
  tband_portTIMESTAMP_START();
  CHECK_EQ(enabled, 1);
  CHECK_EQ(tim.CR1, TIM_CR1_CEN);
  CHECK_EQ(tim.PSC, 83);
  CHECK_EQ(tim.ARR, 0xFFFFFFFFU);
  CHECK_EQ(tim.SR, 0);
  CHECK_EQ(tim.CNT, 0);
  CHECK_EQ(tband_portTIMESTAMP_FREQUENCY_HZ, 1000000);
  tim.CNT = 0xFFFFFFF0U;
  CHECK_EQ(tband_portTIMESTAMP(), 0xFFFFFFF0U);
  tim.CNT = 5;
  CHECK_EQ(tband_portTIMESTAMP(), 0x100000005ULL);
  CHECK_EQ(tband_portTIMESTAMP_RAW(), 5);
  tband_portTIMESTAMP_START(); /* the next recording */
  CHECK_EQ(tband_portTIMESTAMP(), 0x100000005ULL);
  CHECK_EQ(tim.SR, 0);
  return 0;
}

#elif defined(CHIP_NRF_TIMER)

static NRF_TIMER_Type timer;
static uint32_t count;
static unsigned int is_running, starts;

/* Carries out the last requested tasks. */
static void settle(void) {
  if (timer.TASKS_STOP != 0U) {
    is_running = 0;
  }
  if (timer.TASKS_CLEAR != 0U) {
    count = 0;
  }
  if (timer.TASKS_START != 0U) {
    is_running = 1;
    starts++;
  }
  for (int at = 0; at < 6; at++) {
    if (timer.TASKS_CAPTURE[at] != 0U) {
      timer.CC[at] = count;
      timer.TASKS_CAPTURE[at] = 0;
    }
  }
  timer.TASKS_STOP = timer.TASKS_CLEAR = timer.TASKS_START = 0;
}

NRF_TIMER_Type *fake_timer2(void) {
  settle();
  return &timer;
}

int main(void) {
  is_running = 1; /* other code's, of 16 bits */
  timer.MODE = 1;
  count = 40;
  tband_portTIMESTAMP_START();
  settle();
  CHECK_EQ(is_running, 1);
  CHECK_EQ(timer.MODE, 0);
  CHECK_EQ(timer.BITMODE, 3);
  CHECK_EQ(timer.PRESCALER, 4);
  CHECK_EQ(count, 0);
  CHECK_EQ(tband_portTIMESTAMP_FREQUENCY_HZ, 1000000);
  count = 0xFFFFFFF0U;
  CHECK_EQ(tband_portTIMESTAMP(), 0xFFFFFFF0U);
  count = 5;
  CHECK_EQ(tband_portTIMESTAMP(), 0x100000005ULL);
  CHECK_EQ(tband_portTIMESTAMP_RAW(), 5);
  tband_portTIMESTAMP_START(); /* the next recording */
  settle();
  CHECK_EQ(starts, 2);
  CHECK_EQ(tband_portTIMESTAMP(), 0x100000005ULL);
  return 0;
}

#elif defined(CHIP_NRF_RTC)

static struct {
  uint32_t start, counter;
} rtc;

NRF_RTC_Type *fake_rtc2(void) { return (NRF_RTC_Type *)&rtc; }

int main(void) {
  tband_portTIMESTAMP_START();
  CHECK_EQ(rtc.start, 1);
  CHECK_EQ(tband_portTIMESTAMP(), 0);
  rtc.counter = 0xFFFFFFU;
  CHECK_EQ(tband_portTIMESTAMP(), 0xFFFFFFU);
  for (uint64_t turn = 1; turn < 1000; turn++) {
    rtc.counter = 3;
    CHECK_EQ(tband_portTIMESTAMP(), (turn << 24) + 3U);
    rtc.counter = 0xFFFFFEU;
    CHECK_EQ(tband_portTIMESTAMP(), (turn << 24) + 0xFFFFFEU);
  }
  CHECK_EQ(tband_portTIMESTAMP_FREQUENCY_HZ, 32768);
  return 0;
}

#elif defined(CHIP_RP2040)

static struct {
  uint32_t high, low;
} registers;
static uint64_t now, step;

/* Time passes with each access. */
timer_hw_t *fake_timer(void) {
  now += step;
  registers.high = (uint32_t)(now >> 32);
  registers.low = (uint32_t)now;
  return (timer_hw_t *)&registers;
}

int main(void) {
  /* A read that begins before the lower half wraps, at each of its accesses; and one that is slow. */
  for (step = 1; step < 0x40000000U; step *= 3) {
    for (uint64_t before = 0; before < 6; before++) {
      now = (7ULL << 32) - (before * step) - 1U;
      const uint64_t first = now;
      const uint64_t read = tband_portTIMESTAMP();
      CHECK(read >= first);
      CHECK(read <= now);
    }
  }
  step = 0;
  now = 0x123456789ABCDEFULL;
  CHECK_EQ(tband_portTIMESTAMP(), 0x123456789ABCDEFULL);
  CHECK_EQ(tband_portTIMESTAMP_RAW(), 0x89ABCDEFU);
  CHECK_EQ(tband_portTIMESTAMP_FREQUENCY_HZ, 1000000);
  return 0;
}

#endif
