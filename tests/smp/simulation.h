/* What the program wants of the simulation: see port.c. */
#ifndef SIMULATION_H
#define SIMULATION_H

#include <stddef.h>

/* Which task each core really ran, one line a switch: core and name. */
extern char simulated_switches[];

#endif
