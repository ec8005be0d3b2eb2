/* Shedding: when packets run out, classes of events are left out in an order. Part of the shim.
 *
 * What is left out changes where a packet is opened, so a packet says first what it lacks. tband-core/src/shedding.rs says what that
 * is, from the packets that wait to be taken. While all that happens is left out no packet is opened, so who leaves something out looks
 * as well. */
#if defined(TBAND_SHIM) && !defined(TBAND_SHEDDING_H)
#define TBAND_SHEDDING_H

#ifdef TBAND_TAKES_PACKET
#error "tband: packets that tband_portBACKEND_STREAM_DATA takes at once do not run out: define tband_configUSE_SHEDDING 0"
#include TBAND_STOP
#endif

TBAND_STATIC_ASSERT(TBAND_CORES == 1U, "tband: shedding is for one core: define tband_configUSE_SHEDDING 0");

static const uint32_t tband_shed_steps[] = {tband_configSHEDDING_ORDER};
#define TBAND_SHED_STEPS (sizeof(tband_shed_steps) / sizeof(tband_shed_steps[0]))
TBAND_STATIC_ASSERT(TBAND_SHED_STEPS <= 32U, "tband: tband_configSHEDDING_ORDER has more than 32 steps");

/* Or the first step would never be taken back. */
#define TBAND_SHED_LAST (TBAND_MOST_WAITING - 1)
TBAND_STATIC_ASSERT((100 * (1 + (TBAND_MOST_WAITING / 8))) < ((tband_configSHEDDING_FROM) * TBAND_SHED_LAST),
                    "tband: shedding needs more packets; enlarge tband_configPACKET_COUNT or tband_configSHEDDING_FROM");

static const tband_shed_order tband_sheds = {
    .steps = tband_shed_steps,
    .count = TBAND_SHED_STEPS,
    .from = tband_configSHEDDING_FROM,
    .last = TBAND_SHED_LAST,
};

/* Packets that wait to be taken. A probe says so by its offset alone: what it has read is given back first, four packets at a time, so
 * that this is less than a hook's usual work; until all are it is more than wait, and never less. */
static uint32_t tband_shed_waiting(void) {
#if tband_configUSE_RTT
  tband_rtt_sync(TBAND_RTT_UP);
#endif
  return TBAND_PACKET(tband_packet_waiting)();
}

/* A packet was opened at this time; or an event is written with a long time, into the same packet. */
static void tband_sheds_in_packet(tband_core_state *core, uint32_t now) {
  if (tband_tail_of(tband_limit(core))->last_time == now) {
    (void)tband_shedding_state_turn(&tband_shedding, &tband_sheds, tband_shed_waiting());
  }
}

/* Counts of what was shed, as far as a packet has room for them. */
static void tband_shedding_says_in_packet(tband_core_state *core, uint32_t now) {
  uint32_t count[2];
  while (tband_shedding_state_unsaid(&tband_shedding, count) &&
         tband_write_before(TBAND_EVT_U32_U32_SHED, now, count, core)) {
    tband_shedding_state_said(&tband_shedding);
  }
}

/* In the critical section of an event: more is recorded again if packets were taken. The next packet begins with who runs and which
 * interrupts are open, which may be news. */
static TBAND_NEVER_INLINE bool tband_sheds_inside(uint32_t id, uint32_t number, tband_core_state *core, uint32_t now) {
  /* The open one waits too once it is closed. */
  if ((tband_shedding.level != 0U) &&
      tband_shedding_state_may_turn_back(&tband_shedding, &tband_sheds, tband_shed_waiting() + 1U)) {
    /* Not when the timer is read next: the packet after it begins with the event. */
    TBAND_PACKET(tband_packet_close)(core, 0, tband_whole_time(core, now));
    (void)tband_opens_next(core, now);
  }
  return tband_shedding_state_leaves_out(&tband_shedding, id, number);
}

/* Counts are of who is in a critical section. */
static TBAND_NEVER_INLINE bool tband_sheds_outside(uint32_t id, uint32_t number) {
  bool is_left_out = true;
  if (*(const volatile uint32_t *)&tband_shedding.level == 0U) {
    return tband_is_left_out_exactly(id, number);
  }
  TBAND_IN_RECORDING(is_left_out = tband_sheds_inside(id, number, tband_core, tband_now));
  return is_left_out;
}

/* A recording starts. */
static void tband_shedding_begins(void) { tband_shedding_state_begin(&tband_shedding); }

/* A recording stops: what was shed in its last packet is said, or counted as lost where there is no room. The event that finds none is
 * counted already. */
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
  while (has_room && tband_shedding_state_unsaid(&tband_shedding, count)) {
    if (tband_try_u32_u32(TBAND_EVT_U32_U32_SHED, now, count[0], count[1], core)) {
      tband_shedding_state_said(&tband_shedding);
    } else {
      has_room = tband_opens_next(core, now);
    }
  }
  for (uint32_t found = 1; !has_room && tband_shedding_state_unsaid(&tband_shedding, count); found = 0) {
    TBAND_PACKET(tband_packet_discard)(core, count[1] - found);
    tband_shedding_state_said(&tband_shedding);
  }
}

#endif /* TBAND_SHEDDING_H */
