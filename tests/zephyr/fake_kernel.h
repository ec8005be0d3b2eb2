/* What the program asks of the fake kernel beside Zephyr's interface. */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include <stdint.h>

/* Runs the kernel with `main_thread` as the main thread. The log of steps is written to the file log.txt. */
void fake_run(void (*main_thread)(void));
/* The running thread or interrupt is interrupted by one with this number. `is_reported`: its handler calls the
 * hooks. */
void fake_interrupt(uint32_t number, void (*handler)(void), _Bool is_reported);
/* An interrupt that comes after the running thread has become not ready, before the switch away from it. */
void fake_interrupt_before_switch(void (*handler)(void));
/* Writes the log to its end. */
void fake_close_log(void);

#endif
