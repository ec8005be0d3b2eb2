/* The other parts of the Pico SDK that examples/rp2040-smp uses. */
#ifndef FAKE_PICO_STDLIB_H
#define FAKE_PICO_STDLIB_H

#include "pico.h"

typedef struct repeating_timer repeating_timer_t;
typedef bool (*repeating_timer_callback_t)(repeating_timer_t *timer);
struct repeating_timer {
  repeating_timer_callback_t callback;
  void *user_data;
};

bool stdio_init_all(void);
int putchar_raw(int byte);
bool add_repeating_timer_us(int64_t delay_us, repeating_timer_callback_t callback, void *user_data,
                            repeating_timer_t *out);

#endif
