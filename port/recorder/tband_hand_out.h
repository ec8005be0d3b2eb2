/* Precautions for data that are handed to the application inside an event. Part of the shim. */
#if defined(TBAND_SHIM) && !defined(TBAND_HAND_OUT_H)
#define TBAND_HAND_OUT_H

/* The function that takes the data may call traced code, for example a queue's send or a lock. It runs
 * inside an event, where no other event can begin, so events that it would record are refused and
 * counted. The variable holds the core that runs it, counted from 1, or 0. It is written inside the
 * library's lock. A core can find its own number in it only if that core wrote it. */
static volatile uint32_t tband_handing_out;
#define TBAND_HANDS_OUT(core) (tband_handing_out == ((core) + 1U))
#define TBAND_IS_HANDING_OUT() (tband_handing_out != 0U)

/* Returns the result of `taken`; no events are recorded during it. */
#define TBAND_HAND_OUT(taken)                   \
  do {                                          \
    tband_handing_out = tband_core_index() + 1U; \
    const bool tband_dropped = (taken);         \
    tband_handing_out = 0;                      \
    return tband_dropped;                       \
  } while (0)

#endif /* TBAND_HAND_OUT_H */
