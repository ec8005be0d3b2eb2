/* Extends a free-running 32-bit counter to the 64-bit timestamp that the recorder wants.
 *
 * For tband_portTIMESTAMP(): the recorder calls it inside its critical section, so the state needs no
 * further protection. Correct from any context as long as it is called at least once per wrap of
 * the counter. With FreeRTOS the tick sees to that (tband_configTICK_KEEPS_TIME); without, where nothing
 * may be recorded for that long, or recording is off in between, call tband_keep_time() from a slow timer.
 * With several cores the state would be shared: use a 64-bit timer there.
 *
 * A sleep without ticks may last longer than a wrap. The recorder then computes the missing wraps from the ticks that
 * the kernel steps, if the port can add them:
 *   #define tband_portTIMESTAMP_ADD_WRAPS(wraps) tband_extend32_add_wraps(&state, (wraps)) */
#ifndef TBAND_EXTEND32_H
#define TBAND_EXTEND32_H

#include <stdint.h>

#ifndef tband_portTIMESTAMP_IS_EXTENDED
#define tband_portTIMESTAMP_IS_EXTENDED 1
#endif

/** State of an extended counter; zero at the start. */
typedef struct tband_extend32_state {
  uint32_t last; /* counter at the last call */
  uint32_t wraps; /* wraps seen so far: the upper half */
} tband_extend32_state;

/** The counter's value `now` as 64 bits. Never steps back. About 6 instructions. */
static inline uint64_t tband_extend32(tband_extend32_state *state, uint32_t now) {
  if (now < state->last) {
    state->wraps++;
  }
  state->last = now;
  return ((uint64_t)state->wraps << 32) | now;
}

/** Adds whole wraps of the counter that were not observed: for tband_portTIMESTAMP_ADD_WRAPS(). */
static inline void tband_extend32_add_wraps(tband_extend32_state *state, uint32_t wraps) {
  state->wraps += wraps;
}

#endif /* TBAND_EXTEND32_H */
