/* Triggers are set and armed. Part of the shim. */
#if defined(TBAND_SHIM) && !defined(TBAND_TRIGGER_ARM_H)
#define TBAND_TRIGGER_ARM_H

static void tband_trigger_describes(void) {
  TBAND_DESCRIBE_ONCE(TBAND_DESCRIBED_TRIGGER, {
    TBAND_DESCRIBE_EVENT(TBAND_EVT_U32_S64_TRIGGER, TBAND_SCHEMA_TRIGGER);
    TBAND_DESCRIBE_EVENT(TBAND_EVT_U32_FROZEN, TBAND_SCHEMA_FROZEN);
  });
}

#if !tband_configUSE_BACKEND_EXTERNAL /* which has no start */
/* In the critical section of a start, which is refused while a recording is on. */
static void tband_triggers_start(void) {
  if (!tband_is_recording()) {
    tband_lib_port_lock();
    tband_lib_trigger_state_start(&tband_triggers);
    tband_lib_port_unlock();
  }
}

#if !TBAND_DESCRIBES_BEFORE_START
/* Some trigger was set before the recording begins. */
static bool tband_triggers_are_used;
static void tband_trigger_record_at_start(void) {
  if (tband_triggers_are_used) {
    tband_trigger_describes();
  }
}
#define TBAND_TRIGGERS_ARE_USED(is_set) ((void)(tband_triggers_are_used = tband_triggers_are_used || (is_set)))
#endif
#endif
#ifndef TBAND_TRIGGERS_ARE_USED
#define TBAND_TRIGGERS_ARE_USED(is_set) ((void)0)
#endif

/* Calls the library in the critical section; where frames are handed out no section can begin. */
#define TBAND_OF_TRIGGERS(call)            \
  do {                                     \
    tband_portENTER_CRITICAL_FROM_ANY();   \
    tband_lib_port_lock();                 \
    call;                                  \
    tband_lib_port_unlock();               \
    tband_portEXIT_CRITICAL_FROM_ANY();    \
  } while (0)

/* See tband_triggers.h. */
int tband_trigger_arm(uint32_t condition, uint32_t of, int64_t value, uint32_t nth, uint32_t after) {
  int number = -1;
  if (TBAND_IS_REFUSED(false) || TBAND_IS_HANDING_OUT()) {
    return -1;
  }
  /* Described before it can fire, and not if it is refused. */
  if (((tband_described & TBAND_DESCRIBED_TRIGGER) == 0U) && (TBAND_DESCRIBES_BEFORE_START || tband_is_recording())) {
    TBAND_OF_TRIGGERS({
      number = (int)tband_lib_trigger_state_set(&tband_triggers, condition, of, value, nth, after);
      if (number >= 0) {
        (void)tband_lib_trigger_state_arm(&tband_triggers, (uint32_t)number, false);
      }
    });
    if (number < 0) {
      return -1;
    }
    tband_trigger_describes();
  }
  TBAND_OF_TRIGGERS({
    number = (int)tband_lib_trigger_state_set(&tband_triggers, condition, of, value, nth, after);
    TBAND_TRIGGERS_ARE_USED(number >= 0);
  });
  return number;
}

static int tband_trigger_switch(int number, bool armed) {
  bool is_there = false;
  if ((number < 0) || TBAND_IS_REFUSED(false) || TBAND_IS_HANDING_OUT()) {
    return -1;
  }
  TBAND_OF_TRIGGERS(is_there = tband_lib_trigger_state_arm(&tband_triggers, (uint32_t)number, armed));
  return is_there ? 0 : -1;
}

/* See tband_triggers.h. */
int tband_trigger_rearm(int number) { return tband_trigger_switch(number, true); }

/* See tband_triggers.h. */
int tband_trigger_disarm(int number) { return tband_trigger_switch(number, false); }

/* See tband_triggers.h. */
bool tband_trigger_is_armed(int number) {
  return (number >= 0) && TBAND_MAY_READ() && tband_lib_trigger_state_is_armed(&tband_triggers, (uint32_t)number);
}

/* See tband_triggers.h. */
uint32_t tband_trigger_count(void) { return TBAND_MAY_READ() ? tband_lib_trigger_state_fired(&tband_triggers) : 0U; }

#endif /* TBAND_TRIGGER_ARM_H */
