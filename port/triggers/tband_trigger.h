/* Triggers: hooks check whether a trigger waits for an event, and record the result. Part of the shim, after the
 * selected format.
 *
 * The conditions are evaluated in the library, tband-core/src/triggers.rs. */
#if defined(TBAND_SHIM) && !defined(TBAND_TRIGGER_H)
#define TBAND_TRIGGER_H

#if tband_configUSE_TRIGGERS

static tband_trigger_state tband_triggers;

/* Returns true if a trigger inspects events of this id. `id` may have flags from bit 8 on. */
TBAND_INLINE bool tband_is_watched(uint32_t id) {
  return *(const volatile uint8_t *)&tband_triggers.watched[id & 0xFFU] != 0U;
}

/* Ends the recording. In a stream the consumer ends it. */
#if tband_configUSE_BACKEND_STREAMING || tband_configUSE_BACKEND_EXTERNAL
#define TBAND_TRIGGER_FREEZES() ((void)0)
#define TBAND_TRIGGER_FROM(follows) (follows)
#else
#if tband_configUSE_BACKEND_POST_MORTEM
static void tband_protect_later(void);
#define TBAND_TRIGGER_FREEZES() (tband_protect_later(), (void)TBAND_PACKET(tband_lib_packet_stop)())
#elif TBAND_USES_PACKETS
#define TBAND_TRIGGER_FREEZES() ((void)TBAND_PACKET(tband_lib_packet_stop)())
#else
#define TBAND_TRIGGER_FREEZES() ((void)tband_lib_snapshot_stop())
#endif
#define TBAND_TRIGGER_FROM(follows) ((follows) | TBAND_TRIGGER_STOPS)
#endif

/* In the critical section: events that are recorded again were left out before. */
static inline void tband_trigger_forgets(void) {
  tband_lib_port_lock();
  tband_lib_trigger_state_forget(&tband_triggers);
  tband_lib_port_unlock();
}
#define TBAND_TRIGGER_FORGETS() tband_trigger_forgets()

/* An event of this id was left out, so a trigger that waits for a task does not know what the task does. */
static inline void tband_trigger_misses(uint32_t id) {
  if (tband_is_watched(id)) {
    TBAND_TRIGGER_FORGETS();
  }
}
#define TBAND_TRIGGER_MISSES(id) tband_trigger_misses(id)

/* In the critical section, after an event that a trigger inspects was recorded: performs the next actions, at the same
 * time. The lock is not held while an event is written, which may take the lock itself. */
static TBAND_NEVER_INLINE void tband_trigger_looks(uint32_t id, uint32_t number, int64_t value,
                                                   tband_core_state *tband_core, tband_time tband_now) {
  uint32_t follows = 0;
  /* A snapshot had no room for it and has ended, or an interrupt has stopped the recording before this section: it is
   * not recorded. */
  if (!tband_is_recording()) {
    return;
  }
#if tband_configUSE_SHEDDING
  /* It was to open the packet that sheds it, so it is not recorded. */
  if (tband_lib_shedding_sheds(&tband_shim_shedding, TBAND_SHED_INDEX(tband_core), id & 0xFFU)) {
    TBAND_TRIGGER_FORGETS();
    return;
  }
#endif
  do {
    uint32_t n = 0;
    int64_t is = 0;
    tband_lib_port_lock();
    follows = tband_lib_trigger_state_sees(&tband_triggers, TBAND_TRIGGER_FROM(follows), id & 0xFFU, number, value,
                                           (uint32_t)tband_now, tband_core_index(), &n, &is);
    tband_lib_port_unlock();
    if (follows == TBAND_TRIGGER_ENDS) {
      TBAND_AS_OWN(TBAND_WRITE_U32(TBAND_EVT_U32_FROZEN, n));
      TBAND_TRIGGER_FREEZES();
      TBAND_FILTER_RESTS();
    } else if (follows != 0U) {
      TBAND_AS_OWN(TBAND_WRITE_U32_S64(TBAND_EVT_U32_S64_TRIGGER, n, is));
    }
  } while ((follows != 0U) && (follows != TBAND_TRIGGER_ENDS));
}

/* Events that triggers inspect are written out of line, so that the others save no register for it. */
static TBAND_NEVER_INLINE void tband_watched_u32(uint32_t id, uint32_t first, tband_core_state *tband_core,
                                                 tband_time tband_now) {
  TBAND_WRITE_U32(id, first);
  tband_trigger_looks(id, first, 0, tband_core, tband_now);
}

static TBAND_NEVER_INLINE void tband_watched_u32_u32(uint32_t id, uint32_t first, uint32_t second,
                                                     tband_core_state *tband_core, tband_time tband_now) {
  TBAND_WRITE_U32_U32(id, first, second);
  tband_trigger_looks(id, first, second, tband_core, tband_now);
}

static TBAND_NEVER_INLINE void tband_watched_u32_s64(uint32_t id, uint32_t first, int64_t value,
                                                     tband_core_state *tband_core, tband_time tband_now) {
  TBAND_WRITE_U32_S64(id, first, value);
  tband_trigger_looks(id, first, value, tband_core, tband_now);
}

static TBAND_NEVER_INLINE void tband_watched_u32_str(uint32_t id, uint32_t first, const char *text,
                                                     tband_core_state *tband_core, tband_time tband_now) {
  TBAND_WRITE_U32_STR(id, first, text);
  tband_trigger_looks(id, first, 0, tband_core, tband_now);
}

static TBAND_NEVER_INLINE void tband_watched_numbers(uint32_t id, uint32_t count, const uint32_t *numbers,
                                                     tband_core_state *tband_core, tband_time tband_now) {
  TBAND_WRITE_NUMBERS(id, count, numbers);
  tband_trigger_looks(id, (count > 0U) ? numbers[0] : 0U, (count > 1U) ? (int64_t)numbers[1] : 0, tband_core,
                      tband_now);
}

/* Records an event in the critical section. */
#define TBAND_WITH_TRIGGERS(id, write, watched)   \
  do {                                            \
    if (TBAND_USUALLY(!tband_is_watched(id))) {   \
      write;                                      \
    } else {                                      \
      watched;                                    \
    }                                             \
  } while (0)

#if tband_configFREERTOS_TRACE_ENABLE
/* `task_to_rdy_state` of a task that was ready before. */
static TBAND_NEVER_INLINE void tband_watched_relisted(uint32_t task, tband_core_state *tband_core,
                                                      tband_time tband_now) {
  TBAND_WRITE_U32(TBAND_EVT_U32_TASK_TO_RDY_STATE, task);
  tband_trigger_looks(TBAND_EVT_U32_TASK_TO_RDY_STATE, task, TBAND_TRIGGER_RELISTED, tband_core, tband_now);
}
#endif

/* As above, for code that is long. */
#define TBAND_AND_LOOK(id, number, write)                              \
  do {                                                                 \
    write;                                                             \
    if (!TBAND_USUALLY(!tband_is_watched(id))) {                       \
      tband_trigger_looks((id), (number), 0, tband_core, tband_now);   \
    }                                                                  \
  } while (0)

#else

#define TBAND_TRIGGER_FORGETS() ((void)0)
#define TBAND_TRIGGER_MISSES(id) ((void)0)
#define TBAND_WITH_TRIGGERS(id, write, watched) write
#define TBAND_AND_LOOK(id, number, write) write

#endif

/* The hook of an event with one number, in the critical section. */
#define TBAND_WRITE_WATCHED_U32(id, first) \
  TBAND_WITH_TRIGGERS(id, TBAND_WRITE_U32(id, first), tband_watched_u32((id), (first), tband_core, tband_now))

#endif /* TBAND_TRIGGER_H */
