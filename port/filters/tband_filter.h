/* Filters: whether a hook records its event, and how the recording says what is left out. Part of the shim.
 *
 * What hooks look at follows from what was chosen in the library, tband-core/src/filter.rs. */
#if defined(TBAND_SHIM) && !defined(TBAND_FILTER_H)
#define TBAND_FILTER_H

#if tband_configUSE_FILTERS

#if tband_configUSE_SHEDDING
/* Has a filter, and what is left out beside it. */
static tband_shedding_state tband_shedding;
#define tband_filter tband_shedding.filter
#define TBAND_FILTER_FACT(at, fields) tband_shedding_state_fact(&tband_shedding, (at), (fields))
#define TBAND_FILTER_APPLY(asks) tband_shedding_state_apply(&tband_shedding)
#else
static tband_filter_state tband_filter;
#define TBAND_FILTER_FACT(at, fields) tband_filter_state_fact(&tband_filter, (at), (fields))
#define TBAND_FILTER_APPLY(asks) tband_filter_state_apply(&tband_filter, (asks))
#endif
/* With several cores: one that changes the filter. */
static bool tband_filter_changes;

/* Which word of the filter has the bit of an event; 0: the event is recorded. An id has no flags here. */
TBAND_INLINE uint32_t tband_filter_place(uint32_t id) {
#if defined(__GNUC__)
  uint32_t place = tband_filter.of_event[id];
  __asm("" : "+r"(place)); /* is read once: an interrupt may change it */
  return place;
#else
  return *(const volatile uint8_t *)&tband_filter.of_event[id];
#endif
}

/* The bit of the object in the word of this place. */
TBAND_INLINE bool tband_filter_has_bit(uint32_t place, uint32_t number) {
  const uint32_t look = ((const volatile uint32_t *)(const volatile void *)&tband_filter)[place];
  const uint32_t by = number & 31U;
  return (int32_t)((look >> by) | (look << ((32U - by) & 31U))) < 0;
}

/* Not all events of this id are recorded, and the object's bit is set: the exact answer. Out of line: the usual ways then save no register
 * for it. */
static TBAND_NEVER_INLINE bool tband_is_left_out_exactly(uint32_t id, uint32_t number) {
  return (tband_filter_place(id) == TBAND_FILTER_NOTHING) || tband_filter_state_is_off(&tband_filter, id, number);
}

#if tband_configUSE_SHEDDING
/* The same, where it is counted, in a critical section and outside of one. */
static bool tband_sheds_inside(uint32_t id, uint32_t number, tband_core_state *core, uint32_t now);
static bool tband_sheds_outside(uint32_t id, uint32_t number);
TBAND_INLINE bool tband_may_be_left_out(uint32_t id, uint32_t number) {
  const uint32_t place = tband_filter_place(id);
  return !TBAND_USUALLY(place == 0U) && !TBAND_USUALLY(!tband_filter_has_bit(place, number));
}
#define TBAND_IS_LEFT_OUT(id, number) \
  (tband_may_be_left_out((id), (number)) && tband_sheds_inside((id), (number), tband_core, tband_now))
#define TBAND_IS_LEFT_OUT_OUTSIDE(id, number) (tband_may_be_left_out((id), (number)) && tband_sheds_outside((id), (number)))
#else
/* The event is left out. A function, and all in one: else the compiler needs more registers in hooks. */
TBAND_INLINE bool tband_is_left_out(uint32_t id, uint32_t number) {
  const uint32_t place = tband_filter_place(id);
  return !TBAND_USUALLY(place == 0U) && !TBAND_USUALLY(!tband_filter_has_bit(place, number)) &&
         tband_is_left_out_exactly(id, number);
}
#define TBAND_IS_LEFT_OUT tband_is_left_out
#if TBAND_USES_PACKETS
#define TBAND_IS_LEFT_OUT_OUTSIDE TBAND_IS_LEFT_OUT
#else
/* What was said of the filter was lost, at least in part: it is said again when the line takes events. Until then all events take the
 * long way, so that the usual one has nothing to do with it. */
static bool tband_filter_is_unsaid;
static void tband_filter_says_again(void);

static TBAND_NEVER_INLINE bool tband_is_left_out_perhaps(uint32_t id, uint32_t number) {
  if (tband_filter_is_unsaid) {
    tband_filter_says_again();
  }
  return tband_is_left_out_exactly(id, number);
}

/* As above, where no critical section has begun. */
TBAND_INLINE bool tband_is_left_out_outside(uint32_t id, uint32_t number) {
  const uint32_t place = tband_filter_place(id);
  return !TBAND_USUALLY(place == 0U) && !TBAND_USUALLY(!tband_filter_has_bit(place, number)) &&
         tband_is_left_out_perhaps(id, number);
}
#define TBAND_IS_LEFT_OUT_OUTSIDE tband_is_left_out_outside
#endif
#endif

#define TBAND_UNLESS_LEFT_OUT(id, number, call)  \
  do {                                           \
    if (!TBAND_IS_LEFT_OUT(id, number)) {        \
      call;                                      \
    }                                            \
  } while (0)

#if TBAND_USES_PACKETS
/* In each packet, so that one that is read alone makes sense. */
static void tband_filter_says_in_packet(tband_core_state *core, uint32_t now);
#if tband_configUSE_SHEDDING
static void tband_sheds_in_packet(tband_core_state *core, uint32_t now);
static void tband_shedding_says_in_packet(tband_core_state *core, uint32_t now);
static void tband_shedding_begins(void);
static void tband_shedding_ends(void);
#endif
#endif

#else

#define TBAND_UNLESS_LEFT_OUT(id, number, call) call

#endif

#endif /* TBAND_FILTER_H */
