/* The timer of RP2040, as far as it is used: RP2040 Datasheet, 4.6.5. */
#ifndef FAKE_HARDWARE_TIMER_H
#define FAKE_HARDWARE_TIMER_H

#include <stdint.h>

typedef struct {
  const volatile uint32_t timerawh, timerawl;
} timer_hw_t;

/* Each access is seen. */
timer_hw_t *fake_timer(void);
#define timer_hw fake_timer()

#endif
