/* A filter is changed. Part of the shim. */
#if defined(TBAND_SHIM) && !defined(TBAND_FILTER_CHOOSE_H)
#define TBAND_FILTER_CHOOSE_H

#if tband_configUSE_SHEDDING
#define TBAND_DESCRIBE_SHED() TBAND_DESCRIBE_EVENT(TBAND_EVT_U32_U32_SHED, TBAND_SCHEMA_SHED)
#else
#define TBAND_DESCRIBE_SHED() ((void)0)
#endif
static void tband_filter_describes(void) {
  TBAND_DESCRIBE_ONCE(TBAND_DESCRIBED_FILTER, {
    TBAND_DESCRIBE_EVENT(TBAND_EVT_U32_U32_FILTER, TBAND_SCHEMA_FILTER);
    TBAND_DESCRIBE_SHED();
  });
}

#if TBAND_USES_PACKETS
#define TBAND_FILTER_IS_UNRECORDED false /* the next packet contains the filter */
#else
#define TBAND_FILTER_IS_UNRECORDED tband_filter_is_unrecorded
/* Count of lost events at the last check. */
static uint32_t tband_filter_lost;
/* Some were lost since. */
static bool tband_filter_loses(void) {
  const uint32_t before = tband_filter_lost;
  tband_filter_lost = tband_lib_recorder_dropped();
  return tband_filter_lost != before;
}
#endif

/* Records which events are left out, in the critical section. If this opens a packet, that packet begins with the
 * complete list. */
static void tband_filter_record(tband_core_state *tband_core, tband_time tband_now) {
  uint32_t fact[2];
#if !TBAND_USES_PACKETS
  (void)tband_filter_loses();
  tband_filter_is_unrecorded = false;
#endif
  for (uint32_t which = 0; !TBAND_FILTER_IS_UNRECORDED && TBAND_FILTER_FACT(tband_core, which, fact); which++) {
    const uint32_t lost = TBAND_LOST(tband_core);
    TBAND_WRITE_U32_U32(TBAND_EVT_U32_U32_FILTER, fact[0], fact[1]);
#if TBAND_USES_PACKETS
    (void)TBAND_IS_LOST_AS_OWN(tband_core, lost);
#else
    tband_filter_is_unrecorded = tband_filter_loses();
    if (TBAND_IS_LOST_AS_OWN(tband_core, lost)) {
      (void)tband_filter_loses();
    }
#endif
  }
}

/* Cores change the filter one after the other, each in its critical section, so no core waits long. The recorder's lock
 * cannot serve for this, because frames are sent with it. */
static void tband_filter_begins(void) {
  bool waits;
  do {
    tband_lib_port_lock();
    waits = tband_filter_changes;
    tband_filter_changes = true;
    tband_lib_port_unlock();
  } while ((TBAND_CORES > 1U) && waits);
}

static void tband_filter_ends(void) {
  tband_lib_port_lock();
  tband_filter_changes = false;
  tband_lib_port_unlock();
}

/* See tband_filters.h. Events to be left out are recorded as such before the change; events to be recorded again are
 * recorded as such after it. So an event in between is one more than the recording promises, and none is missing. Other
 * cores follow at once, so the change counts from the time that is read here, not from the start of the section: this
 * core may have had to wait for another one. */
int tband_filter_choose(uint32_t what, uint32_t of, bool on, uint32_t by) {
  bool is_chosen = false;
  if (TBAND_IS_REFUSED(false)) {
    return -1;
  }
  /* The filter event is described before it is recorded, and not if the selection is refused. Only the selection itself
   * shows that, so it runs once here and again below, where it has no further effect. */
  if (((tband_described & TBAND_DESCRIBED_FILTER) == 0U) && (TBAND_DESCRIBES_BEFORE_START || tband_is_recording())) {
    TBAND_IN_CRITICAL_SECTION(false, {
      tband_filter_begins();
      is_chosen = tband_lib_filter_state_choose(&tband_filter, what, of, on, by);
      if (is_chosen && on) {
        TBAND_FILTER_APPLY(TBAND_FILTER_IS_UNRECORDED);
      }
      tband_filter_ends();
    });
    if (!is_chosen) {
      return -1;
    }
    tband_filter_describes();
  }
  TBAND_IN_CRITICAL_SECTION(false, {
    tband_filter_begins();
    tband_time since = TBAND_TIME_OF(false);
    is_chosen = tband_lib_filter_state_choose(&tband_filter, what, of, on, by);
    if (is_chosen && on) {
      TBAND_FILTER_APPLY(TBAND_FILTER_IS_UNRECORDED);
      since = TBAND_TIME_OF(false);
      TBAND_TRIGGER_FORGETS();
    }
    if (is_chosen && tband_live && tband_is_recording()) {
      tband_filter_record(tband_core, since);
    }
    if (is_chosen && (!on || TBAND_FILTER_IS_UNRECORDED)) {
      TBAND_FILTER_APPLY(TBAND_FILTER_IS_UNRECORDED);
    }
    /* Another core may have begun a packet with the previous filter after this one was recorded, so it is recorded
     * again after that. If events are recorded again (`on`), the filter was recorded only after the change. */
    if (TBAND_USES_PACKETS && (TBAND_CORES > 1U) && is_chosen && !on && tband_live && tband_is_recording()) {
      tband_filter_record(tband_core, TBAND_TIME_OF(false));
    }
    tband_filter_ends();
  });
#if TBAND_USES_PACKETS
  /* Starts new packets, which begin with the running task and the open interrupts, because these may not have been
   * recorded before; packets of other cores then begin with the filter. */
  if (is_chosen && (on || (TBAND_CORES > 1U))) {
    tband_flush();
  }
#endif
  return is_chosen ? 0 : -1;
}

#if !TBAND_USES_PACKETS
/* Records the filter again after its record was lost, once the line accepts events: not while events of the program are
 * being lost. */
static TBAND_NEVER_INLINE void tband_filter_record_again(void) {
  TBAND_IN_CRITICAL_SECTION(false, {
    tband_filter_begins();
    if (tband_live && !tband_filter_loses() && tband_filter_is_unrecorded) {
      tband_filter_record(tband_core, TBAND_TIME_OF(false));
      TBAND_FILTER_APPLY(tband_filter_is_unrecorded);
    }
    tband_filter_ends();
  });
}
#endif

/* See tband_filters.h. */
int tband_filter_choose_by_name(uint32_t kind, const char *name, bool on, uint32_t by) {
  uint32_t number = 0;
  bool is_found = false;
  if (TBAND_IS_REFUSED(false) || (name == NULL)) {
    return -1;
  }
#if tband_configUSE_METADATA_BUF
  tband_portENTER_CRITICAL_FROM_ANY();
  tband_lib_port_lock();
  for (uint32_t core = 0; !is_found && (core < TBAND_CORES); core++) {
    is_found = tband_lib_metadata_number_of(&tband_cores[core], TBAND_METADATA_BUF(core), kind, name,
                                            tband_configMAX_STR_LEN, &number);
  }
  tband_lib_port_unlock();
  tband_portEXIT_CRITICAL_FROM_ANY();
#endif
  return is_found ? tband_filter_choose(TBAND_FILTER_OBJECT + kind, number, on, by) : -1;
}

#if !tband_configUSE_BACKEND_EXTERNAL && !TBAND_DESCRIBES_BEFORE_START /* the external one has no start */
/* Records the filter at the begin of a recording, if it was changed before. Packets contain the filter themselves. */
static void tband_filter_record_at_start(void) {
  uint32_t fact[2];
  if (TBAND_FILTER_FACT(tband_cores, 0, fact)) {
    tband_filter_describes();
#if !TBAND_USES_PACKETS
    TBAND_IF_RECORDING({
      tband_filter_begins();
      tband_filter_record(tband_core, TBAND_TIME_OF(false));
      TBAND_FILTER_APPLY(tband_filter_is_unrecorded);
      tband_filter_ends();
    });
#endif
  }
}
#endif

#endif /* TBAND_FILTER_CHOOSE_H */
