/* Filters: whether a hook records its event, and how the recording says what is left out. Part of the shim.
 *
 * What hooks look at follows from what was chosen in the library, tband-core/src/filter.rs. */
#if defined(TBAND_SHIM) && !defined(TBAND_FILTER_H)
#define TBAND_FILTER_H

#if tband_configUSE_FILTERS

static tband_filter_state tband_filter;
/* With several cores: one that changes the filter. */
static bool tband_filter_changes;

/* As below, where not all events of this id are recorded. Out of line: the usual way then saves no register for it. */
static TBAND_NEVER_INLINE bool tband_is_left_out_here(uint32_t id, uint32_t number) {
  const uint32_t place = *(const volatile uint8_t *)&tband_filter.of_event[id & 0xFFU];
  const uint32_t look = ((const volatile uint32_t *)(const volatile void *)&tband_filter)[place];
  const uint32_t by = number & 31U;
  return (place != 0U) && ((int32_t)((look >> by) | (look << ((32U - by) & 31U))) < 0) &&
         tband_filter_state_is_off(&tband_filter, id & 0xFFU, number);
}

/* The event is left out. `id` may have flags from bit 8 on. */
TBAND_INLINE bool tband_is_left_out(uint32_t id, uint32_t number) {
  return !TBAND_USUALLY(*(const volatile uint8_t *)&tband_filter.of_event[id & 0xFFU] == 0U) &&
         tband_is_left_out_here(id, number);
}

#define TBAND_UNLESS_LEFT_OUT(id, number, call)  \
  do {                                           \
    if (!tband_is_left_out((id), (number))) {    \
      call;                                      \
    }                                            \
  } while (0)

#if TBAND_USES_PACKETS
/* In each packet, so that one that is read alone makes sense. */
static void tband_filter_says_in_packet(tband_core_state *core, uint32_t now);
#endif

#else

#define TBAND_UNLESS_LEFT_OUT(id, number, call) call

#endif

#endif /* TBAND_FILTER_H */
