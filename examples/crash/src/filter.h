/*
 * Two parts of the example's work; the first one fails.
 */
#ifndef FILTER_H_
#define FILTER_H_

#include <stdint.h>

/* The failure to cause, in the order of CMakeLists.txt. */
enum crash { NULL_CALL, BUS_ERROR, UNALIGNED, ASSERT, STACK_OVERFLOW, MALLOC, WATCHDOG, NOTHING };

/* A step of the filter; fails if requested. */
int32_t filter_step(int32_t sample, enum crash crash);

#endif /* FILTER_H_ */
