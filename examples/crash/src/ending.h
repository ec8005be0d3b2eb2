/*
 * The firmware's actions at its end, for any reason, and the output of its recording.
 */
#ifndef ENDING_H_
#define ENDING_H_

#include <stdbool.h>

/* Resets the chip; or stops, if it is built for a debugger. */
__attribute__((noreturn)) void ending(void);

/* After a reset that followed a crash: writes the previous recording to trace.bin. Returns false if there is
 * none. */
bool ending_was_recorded(void);

/* The board's watchdog warns after this many ms without being fed, by NMI, and resets after twice as many. */
void watchdog_start(unsigned ms);
void watchdog_feed(void);

#endif /* ENDING_H_ */
