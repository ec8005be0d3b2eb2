/* Shedding: when packets run out, classes of events are left out in a configured order. Part of the shim.
 *
 * The set of classes changes only where a packet is opened, so each packet begins with the list of events that it
 * lacks. tband-core/src/shedding.rs computes the set from the number of packets that wait for the consumer. While every
 * event is left out no packet is opened, so code that leaves out an event checks the set too. */
#if defined(TBAND_SHIM) && !defined(TBAND_SHEDDING_H)
#define TBAND_SHEDDING_H

#ifdef TBAND_TAKES_PACKET
#error "tband: packets that tband_portBACKEND_STREAM_DATA takes at once do not run out: define tband_configUSE_SHEDDING 0"
#include TBAND_STOP
#endif

static const uint32_t tband_shed_steps[] = {tband_configSHEDDING_ORDER};
#define TBAND_SHED_STEPS (sizeof(tband_shed_steps) / sizeof(tband_shed_steps[0]))
TBAND_STATIC_ASSERT(TBAND_SHED_STEPS <= 32U, "tband: tband_configSHEDDING_ORDER has more than 32 steps");

/* Otherwise the first step would never be taken back. */
#define TBAND_SHED_LAST (TBAND_MOST_WAITING - 1)
TBAND_STATIC_ASSERT(
    (100 * (1 + (TBAND_MOST_WAITING / 8))) < ((tband_configSHEDDING_FROM) * TBAND_SHED_LAST),
    "tband: shedding needs more packets; enlarge tband_configPACKET_COUNT or tband_configSHEDDING_FROM");

const tband_shedding tband_shim_shedding = {
    .filter = &tband_filter,
    .cores = tband_shed,
    .core_count = TBAND_CORES,
    .order =
        {
            .steps = tband_shed_steps,
            .count = TBAND_SHED_STEPS,
            .from = tband_configSHEDDING_FROM,
            .last = TBAND_SHED_LAST,
        },
};

/* A debug probe reports only by its offset how much it has read. Those packets are released first, four at a time,
 * which costs less than a usual hook. Until all of them are released, the number of waiting packets is too high, never
 * too low. */
#if tband_configUSE_RTT
#define TBAND_SHED_HEARS() tband_lib_rtt_sync(TBAND_RTT_UP)
#else
#define TBAND_SHED_HEARS() ((void)0)
#endif

/* A packet was opened at this time; or an event is written with a long time, into the same packet. */
static void tband_sheds_in_packet(tband_core_state *core, uint32_t now) {
  if (tband_tail_of(tband_limit(core))->last_time == now) {
    TBAND_SHED_HEARS();
    TBAND_PACKET(tband_lib_packet_shed_turn)(core, &tband_shim_shedding);
  }
}

/* Records the counts of shed events, as far as the packet has room for them. */
static void tband_shedding_record_in_packet(tband_core_state *core, uint32_t now) {
  const uint32_t index = TBAND_SHED_INDEX(core);
  uint32_t count[2];
  while (tband_lib_shedding_next_count(&tband_shim_shedding, index, count) &&
         tband_write_before(TBAND_EVT_U32_U32_SHED, now, count, core)) {
    tband_lib_shedding_mark_recorded(&tband_shim_shedding, index);
  }
}

/* In the critical section of an event: records more again if packets were taken. The next packet begins with the
 * running task and the open interrupts, which may not have been recorded before. */
static TBAND_NEVER_INLINE bool tband_sheds_inside(uint32_t id, uint32_t number, tband_core_state *core, uint32_t now) {
  const uint32_t index = TBAND_SHED_INDEX(core);
  if (tband_shed[index].level != 0U) {
    TBAND_SHED_HEARS();
    if (TBAND_PACKET(tband_lib_packet_shed_may_turn_back)(core, &tband_shim_shedding)) {
      /* Not when the timer is read next: the packet after it begins with the event. */
      TBAND_PACKET(tband_lib_packet_close_own)(core, tband_whole_time(core, now));
      (void)tband_open_next(core, now);
    }
  }
  if (!tband_lib_shedding_leaves_out(&tband_shim_shedding, index, id, number, now)) {
    return false;
  }
  if (tband_shed[index].level != 0U) {
    TBAND_TRIGGER_MISSES(id);
  }
  return true;
}

/* Only code in a critical section may count. If no core sheds anything, the selection decides and not the table that
 * hooks read: an interrupt or another core may take a shedding step in between, and then the event would be left out
 * without being counted. */
static TBAND_NEVER_INLINE bool tband_sheds_outside(uint32_t id, uint32_t number) {
  bool is_left_out = true;
  uint32_t levels = 0;
  for (uint32_t index = 0; index < TBAND_CORES; index++) {
    levels |= *(const volatile uint32_t *)&tband_shed[index].level;
  }
  if (levels == 0U) {
    return tband_lib_filter_state_is_off(&tband_filter, id, number);
  }
  TBAND_IN_RECORDING(is_left_out = tband_sheds_inside(id, number, tband_core, tband_now));
  return is_left_out;
}

/* The recording of the only core stops: the counts for its last packet are recorded, or counted as lost if there is no
 * room. The event that did not fit is counted already. */
static void tband_shedding_ends(void) {
  tband_core_state *const core = &tband_cores[0];
  const uint32_t tband_index = 0;
  uint32_t count[2];
  bool has_room = true;
  if (!tband_is_recording()) {
    return;
  }
  const uint32_t now = TBAND_TIME_OF(false);
  (void)tband_index;
  while (has_room && tband_lib_shedding_next_count(&tband_shim_shedding, 0, count)) {
    if (tband_try_u32_u32(TBAND_EVT_U32_U32_SHED, now, count[0], count[1], core)) {
      tband_lib_shedding_mark_recorded(&tband_shim_shedding, 0);
    } else {
      has_room = tband_open_next(core, now);
    }
  }
  for (uint32_t found = 1; !has_room && tband_lib_shedding_next_count(&tband_shim_shedding, 0, count); found = 0) {
    TBAND_PACKET(tband_lib_packet_discard)(core, count[1] - found);
    tband_lib_shedding_mark_recorded(&tband_shim_shedding, 0);
  }
}

#endif /* TBAND_SHEDDING_H */
