/* Filters: whether a hook records its event, and how the recording says what is left out. Part of the shim.
 *
 * What hooks look at follows from what was chosen in the library, tband-core/src/filter.rs. */
#if defined(TBAND_SHIM) && !defined(TBAND_FILTER_H)
#define TBAND_FILTER_H

#if tband_configUSE_FILTERS

#if tband_configUSE_SHEDDING
static tband_filter_state tband_filter;
/* What each core leaves out beside it. */
static tband_shed_state tband_shed[TBAND_CORES];
/* Both, and the order. */
extern const tband_shedding tband_shim_shedding;
#define TBAND_FILTER_FACT(core, at, fields) tband_shedding_fact(&tband_shim_shedding, TBAND_SHED_INDEX(core), (at), (fields))
#define TBAND_FILTER_APPLY(asks) TBAND_PACKET(tband_packet_shed_apply)(&tband_shim_shedding)
#define TBAND_SHED_INDEX(core) ((TBAND_CORES == 1U) ? 0U : (uint32_t)((core)-tband_cores))
#else
static tband_filter_state tband_filter;
#define TBAND_FILTER_FACT(core, at, fields) tband_filter_state_fact(&tband_filter, (at), (fields))
#define TBAND_FILTER_APPLY(asks) tband_filter_state_apply(&tband_filter, (asks))
#endif
/* With several cores: one that changes the filter. */
static bool tband_filter_changes;

/* What hooks look at: the filter while recording is on, and else a table that sends every event the long way, which ends at once. So what
 * costs a load is either the flag or the filter, not both. It follows the flag late, which does no harm: who is sent the long way while
 * recording is on corrects it, and who enters a critical section while it is off finds no room there. Where small code is asked
 * for, or nothing starts a recording, hooks look at the filter itself. */
#if defined(__OPTIMIZE_SIZE__) || TBAND_BACKEND_IS_ALWAYS_ON
#define TBAND_FILTER_FOLLOWS_FLAG 0
#define TBAND_FILTER_LOOK() tband_filter.of_event
#define TBAND_FILTER_RESTS() ((void)0)
#define TBAND_FILTER_WAKES() true
#else
#define TBAND_FILTER_FOLLOWS_FLAG 1
/* All bytes lead to the word after them. */
#define TBAND_TO_END_16 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64
#define TBAND_TO_END_64 TBAND_TO_END_16, TBAND_TO_END_16, TBAND_TO_END_16, TBAND_TO_END_16
static const struct {
  uint8_t of_event[256];
  uint32_t look;
} tband_filter_rest = {{TBAND_TO_END_64, TBAND_TO_END_64, TBAND_TO_END_64, TBAND_TO_END_64}, 0xFFFFFFFFU};
static const uint8_t *volatile tband_filter_look = tband_filter_rest.of_event;
#define TBAND_FILTER_LOOK() tband_filter_look
/* Recording may be off from here on. */
#define TBAND_FILTER_RESTS() ((void)(tband_filter_look = tband_filter_rest.of_event))
/* Recording is on, so hooks look at the filter. An interrupt may stop it meanwhile. */
static inline bool tband_filter_wakes(void) {
  tband_filter_look = tband_filter.of_event;
  if (!tband_is_recording()) {
    TBAND_FILTER_RESTS();
    return false;
  }
  return true;
}
#define TBAND_FILTER_WAKES() tband_filter_wakes()
#endif

/* Which word has the bit of an event; 0: the event is recorded. An id has no flags here. */
TBAND_INLINE uint32_t tband_filter_place(const uint8_t *look, uint32_t id) {
#if defined(__GNUC__)
  uint32_t place = look[id];
  __asm("" : "+r"(place)); /* is read once: an interrupt may change it */
  return place;
#else
  return *(const volatile uint8_t *)&look[id];
#endif
}

/* The bit of the object in the word of this place. A core that rotates by a register takes the number modulo 32 by itself, and says
 * what the uppermost bit is. */
TBAND_INLINE bool tband_filter_has_bit(const uint8_t *look, uint32_t place, uint32_t number) {
  uint32_t bits = ((const volatile uint32_t *)(const volatile void *)look)[place];
#if defined(__thumb2__) && defined(__GCC_ASM_FLAG_OUTPUTS__)
  bool has;
  __asm("rors %0, %0, %2" : "+r"(bits), "=@ccmi"(has) : "r"(number));
  return has;
#else
  const uint32_t by = number & 31U;
  bits = (bits >> by) | (bits << ((32U - by) & 31U));
  return (int32_t)bits < 0;
#endif
}

/* Not all events of this id are recorded, and the object's bit is set. The first look is not said to be usually 0: what follows on it then
 * stays where it is, so that both ways are without a jump there and back. */
TBAND_INLINE bool tband_may_be_left_out(const uint8_t *look, uint32_t id, uint32_t number) {
  const uint32_t place = tband_filter_place(look, id);
  return TBAND_USUALLY(place != 0U) && !TBAND_USUALLY(!tband_filter_has_bit(look, place, number));
}

/* TBAND_IS_LEFT_OUT: the event is left out, where a critical section has begun. Of one that may be left out: ..._INSIDE says the same, and
 * ..._OUTSIDE where no section has begun. */
#if tband_configUSE_SHEDDING
/* The exact answer, where it is counted. */
static bool tband_sheds_inside(uint32_t id, uint32_t number, tband_core_state *core, uint32_t now);
static bool tband_sheds_outside(uint32_t id, uint32_t number);
#define TBAND_IS_LEFT_OUT_INSIDE(id, number) tband_sheds_inside((id), (number), tband_core, tband_now)
#define TBAND_IS_LEFT_OUT_OUTSIDE tband_sheds_outside
#else
/* If so: the exact answer. Out of line: the usual ways then save no register for it. */
static TBAND_NEVER_INLINE bool tband_is_left_out_exactly(uint32_t id, uint32_t number) {
  return (tband_filter_place(tband_filter.of_event, id) == TBAND_FILTER_NOTHING) ||
         tband_filter_state_is_off(&tband_filter, id, number);
}

#define TBAND_IS_LEFT_OUT_INSIDE tband_is_left_out_exactly
#if TBAND_USES_PACKETS
#define TBAND_IS_LEFT_OUT_OUTSIDE tband_is_left_out_exactly
#else
/* What was said of the filter was lost, at least in part: it is said again when the line takes events. Until then all events take the
 * long way, so that the usual one has nothing to do with it. */
static bool tband_filter_is_unsaid;
static void tband_filter_says_again(void);

static inline bool tband_is_left_out_perhaps(uint32_t id, uint32_t number) {
  if (tband_filter_is_unsaid) {
    tband_filter_says_again();
  }
  return tband_is_left_out_exactly(id, number);
}
#define TBAND_IS_LEFT_OUT_OUTSIDE tband_is_left_out_perhaps
#endif
#endif
#define TBAND_IS_LEFT_OUT(id, number) \
  (tband_may_be_left_out(tband_filter.of_event, (id), (number)) && TBAND_IS_LEFT_OUT_INSIDE((id), (number)))

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
static void tband_shedding_ends(void);
#endif
#endif

#else

#define TBAND_FILTER_RESTS() ((void)0)
#define TBAND_UNLESS_LEFT_OUT(id, number, call) call

#endif

#endif /* TBAND_FILTER_H */
