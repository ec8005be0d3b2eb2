/* Filters: decide whether a hook records its event, and record which events are left out. Part of the shim.
 *
 * The table that hooks read is derived from the selection by the library, tband-core/src/filter.rs. */
#if defined(TBAND_SHIM) && !defined(TBAND_FILTER_H)
#define TBAND_FILTER_H

#if tband_configUSE_FILTERS

#if tband_configUSE_SHEDDING
static tband_filter_state tband_filter;
/* Events that each core leaves out in addition to the filter. */
static tband_shed_state tband_shed[TBAND_CORES];
/* Both, and the order. */
extern const tband_shedding tband_shim_shedding;
#define TBAND_FILTER_FACT(core, at, fields) \
  tband_lib_shedding_fact(&tband_shim_shedding, TBAND_SHED_INDEX(core), (at), (fields))
#define TBAND_FILTER_APPLY(asks) TBAND_PACKET(tband_lib_packet_shed_apply)(&tband_shim_shedding)
#define TBAND_SHED_INDEX(core) ((TBAND_CORES == 1U) ? 0U : (uint32_t)((core)-tband_cores))
#else
static tband_filter_state tband_filter;
#define TBAND_FILTER_FACT(core, at, fields) tband_lib_filter_state_fact(&tband_filter, (at), (fields))
#define TBAND_FILTER_APPLY(asks) tband_lib_filter_state_apply(&tband_filter, (asks))
#endif
/* With several cores: one that changes the filter. */
static bool tband_filter_changes;

/* The table that hooks read: the filter while recording is on, otherwise a table that sends every event to the slow
 * path, which returns at once. So a hook loads either the flag or the filter, not both. The pointer follows the flag
 * with a delay, which is harmless: a hook on the slow path corrects the pointer if recording is on, and a hook that
 * enters a critical section while recording is off finds no room there. When optimising for size, or if the backend is
 * always on, hooks read the filter itself. */
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
/* Recording is on, so hooks must read the filter. An interrupt may stop the recording before the pointer is set, so the
 * flag is read again. */
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

/* Returns the index of the word with the event's bit; 0 if the event is recorded. `id` must not contain flags. */
TBAND_INLINE uint32_t tband_filter_place(const uint8_t *look, uint32_t id) {
#if defined(__GNUC__)
  uint32_t place = look[id];
  __asm("" : "+r"(place)); /* is read once: an interrupt may change it */
  return place;
#else
  return *(const volatile uint8_t *)&look[id];
#endif
}

/* Tests the object's bit in word `place`. A core with a rotate-by-register instruction reduces the number modulo 32
 * without an extra instruction, and sets a flag from the uppermost bit. */
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

/* Returns true if not all events of this id are recorded, and the object's bit is set. The first condition is marked as
 * usually true although it is not: so the compiler leaves the code for the second condition in line, and neither path
 * has a jump away and back. */
TBAND_INLINE bool tband_may_be_left_out(const uint8_t *look, uint32_t id, uint32_t number) {
  const uint32_t place = tband_filter_place(look, id);
  return TBAND_USUALLY(place != 0U) && !TBAND_USUALLY(!tband_filter_has_bit(look, place, number));
}

/* TBAND_IS_LEFT_OUT: the event is left out; for use inside a critical section. For an event that may be left out,
 * ..._INSIDE gives the same answer, and ..._OUTSIDE is for use outside a critical section. */
#if tband_configUSE_SHEDDING
/* The exact answer, where it is counted. */
static bool tband_sheds_inside(uint32_t id, uint32_t number, tband_core_state *core, uint32_t now);
static bool tband_sheds_outside(uint32_t id, uint32_t number);
#define TBAND_IS_LEFT_OUT_INSIDE(id, number) tband_sheds_inside((id), (number), tband_core, tband_now)
#define TBAND_IS_LEFT_OUT_OUTSIDE tband_sheds_outside
#else
/* Gives the exact answer if the bits do not decide. Out of line, so that the fast paths save no register for it. */
static TBAND_NEVER_INLINE bool tband_is_left_out_exactly(uint32_t id, uint32_t number) {
  return (tband_filter_place(tband_filter.of_event, id) == TBAND_FILTER_NOTHING) ||
         tband_lib_filter_state_is_off(&tband_filter, id, number);
}

#define TBAND_IS_LEFT_OUT_INSIDE tband_is_left_out_exactly
#if TBAND_USES_PACKETS
#define TBAND_IS_LEFT_OUT_OUTSIDE tband_is_left_out_exactly
#else
/* At least part of the record of the filter was lost: it is repeated when the line accepts events again. Until then all
 * events take the slow path, so that the fast path need not test this flag. */
static bool tband_filter_is_unrecorded;
static void tband_filter_record_again(void);

static inline bool tband_is_left_out_perhaps(uint32_t id, uint32_t number) {
  if (tband_filter_is_unrecorded) {
    tband_filter_record_again();
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
/* Writes the filter into each packet, so that a packet can be interpreted alone. */
static void tband_filter_record_in_packet(tband_core_state *core, uint32_t now);
#if tband_configUSE_SHEDDING
static void tband_sheds_in_packet(tband_core_state *core, uint32_t now);
static void tband_shedding_record_in_packet(tband_core_state *core, uint32_t now);
static void tband_shedding_ends(void);
#endif
#endif

#else

#define TBAND_FILTER_RESTS() ((void)0)
#define TBAND_UNLESS_LEFT_OUT(id, number, call) call

#endif

#endif /* TBAND_FILTER_H */
