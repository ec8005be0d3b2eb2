/* What is to be thought of where data are handed out inside of an event. Part of the shim. */
#if defined(TBAND_SHIM) && !defined(TBAND_HAND_OUT_H)
#define TBAND_HAND_OUT_H

/* The function that takes the data may call what is traced: a queue's send, a lock. It runs inside an
 * event, where no other can begin, so what it would record is refused and counted. The core that runs it,
 * counted from 1, or 0. Written inside the library's lock; a core can only find itself there if it
 * wrote that itself. */
static volatile uint32_t tband_handing_out;
#define TBAND_HANDS_OUT(core) (tband_handing_out == ((core) + 1U))
#define TBAND_IS_HANDING_OUT() (tband_handing_out != 0U)

/* Returns what `taken` is, during which nothing is recorded. */
#define TBAND_HAND_OUT(taken)                   \
  do {                                          \
    tband_handing_out = tband_core_index() + 1U; \
    const bool tband_dropped = (taken);         \
    tband_handing_out = 0;                      \
    return tband_dropped;                       \
  } while (0)

#endif /* TBAND_HAND_OUT_H */
