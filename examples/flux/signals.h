/* The signals of a machine, and where they are written. */
#ifndef SIGNALS_H_
#define SIGNALS_H_

#include <stdint.h>

#include "tband_flux.h"

/* Items. Their greatest number is what tband_flux_setup has as max_item. */
enum {
  ITEM_MACHINE = 1,
  ITEM_STATE,   /* state of the machine: event */
  ITEM_SPEED,   /* integer */
  ITEM_COUNT,   /* integer without sign */
  ITEM_CURRENT, /* float */
  ITEM_MESSAGE, /* text */
  ITEM_FRAME,   /* received from the bus: structure */
  ITEM_LAST = ITEM_FRAME
};

enum { STATE_IDLE = 1, STATE_RUNS, STATE_FAILED };

/* Defines items and opens the sequence of all of them at the time `start`. */
int32_t signals_begin(tband_flux_trace *trace, int64_t start);

/* One step of the machine at the time `now`, in ns. */
void signals_step(tband_flux_trace *trace, int step, int64_t now);

#endif /* SIGNALS_H_ */
