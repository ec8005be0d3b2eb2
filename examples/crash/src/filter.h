/*
 * Two parts of the example's work, of which the first one goes wrong.
 */
#ifndef FILTER_H_
#define FILTER_H_

#include <stdint.h>

/* What is to go wrong, in the order of CMakeLists.txt. */
enum crash { NULL_CALL, BUS_ERROR, UNALIGNED, ASSERT, STACK_OVERFLOW, MALLOC, WATCHDOG, NOTHING };

/* A step of the filter; goes wrong as it is asked to. */
int32_t filter_step(int32_t sample, enum crash crash);

#endif /* FILTER_H_ */
