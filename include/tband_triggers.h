/* Triggers wait for a condition, so that the recording ends soon after it: a full queue, a value, the n-th failure.
 * Included by tband.h; needs tband_configUSE_TRIGGERS 1.
 *
 * An armed trigger fires once, right after the event that it waits for, and records an event `trigger` there. After the
 * requested number of further events the recording is frozen: a snapshot and the post-mortem ring stop; in a stream an
 * event `frozen` notifies the host. A trigger that fires before that is recorded too, and is also followed by its
 * number of events. Up to 7 triggers at a time. They stay armed when a recording starts, and can be armed again. Events
 * that a filter leaves out fire no trigger.
 *
 * Functions that arm a trigger return its number, from 0 on. They return -1 if 7 are armed already, if the condition
 * can never hold, if the caller is a task without privileges, or if the caller is the function that takes frames.
 * `nth`: the trigger fires the n-th time the condition holds, from 1 on. `after`: the number of events that follow.
 * Context: any that may record. Cost: about 700 instructions in a critical section; the event that fires takes as many
 * more; while no trigger waits for an event, the event takes 4 to 11 more. */
#ifndef TBAND_TRIGGERS_H
#define TBAND_TRIGGERS_H

#include "tband.h" /* has no effect unless this header was included directly */

#if (tband_configENABLE != 0) && tband_configUSE_TRIGGERS

/** Arms a trigger by its condition, TBAND_TRIGGER_*; the functions below are shorter. `of`: number of the object, or
 * TBAND_TRIGGER_ANY. `value`: the value to compare, or the id of an event. */
int tband_trigger_arm(uint32_t condition, uint32_t of, int64_t value, uint32_t nth, uint32_t after);

/** Arms a trigger again with its last condition. Returns 0, or -1 if the number does not exist. */
int tband_trigger_rearm(int number);

/** Disarms a trigger, with the same result. */
int tband_trigger_disarm(int number);

/** Returns whether a trigger is armed and has not fired. */
bool tband_trigger_is_armed(int number);

/** Returns how often triggers have fired since the last reset, modulo 2^32. */
uint32_t tband_trigger_count(void);

#else

TBAND_INLINE int tband_trigger_arm(uint32_t condition, uint32_t of, int64_t value, uint32_t nth, uint32_t after) {
  (void)condition;
  (void)of;
  (void)value;
  (void)nth;
  (void)after;
  return (tband_configENABLE != 0) ? -1 : 0;
}
TBAND_INLINE int tband_trigger_rearm(int number) {
  (void)number;
  return (tband_configENABLE != 0) ? -1 : 0;
}
TBAND_INLINE int tband_trigger_disarm(int number) { return tband_trigger_rearm(number); }
TBAND_INLINE bool tband_trigger_is_armed(int number) {
  (void)number;
  return false;
}
TBAND_INLINE uint32_t tband_trigger_count(void) { return 0; }

#endif

/** Fires at an event of this id, TBAND_EVT_*, and object. */
TBAND_INLINE int tband_trigger_event(uint32_t event, uint32_t object, uint32_t nth, uint32_t after) {
  return tband_trigger_arm(TBAND_TRIGGER_EVENT, object, TBAND_AS(int64_t, event), nth, after);
}

/** Fires when a queue contains `length` items: pass its capacity. Needs the class QUEUE. */
TBAND_INLINE int tband_trigger_queue_full(uint32_t queue, uint32_t length, uint32_t nth, uint32_t after) {
  return tband_trigger_arm(TBAND_TRIGGER_QUEUE_FULL, queue, TBAND_AS(int64_t, length), nth, after);
}

/** Fires when a task starts to run more than `ticks` ticks of the port's timer, below 2^32, after its wake-up.
 * Preemption and a change of priority are not wake-ups; a suspension ends the wait. Needs the class TASK. */
TBAND_INLINE int tband_trigger_ready_wait(uint32_t task, uint32_t ticks, uint32_t nth, uint32_t after) {
  return tband_trigger_arm(TBAND_TRIGGER_READY_WAIT, task, TBAND_AS(int64_t, ticks), nth, after);
}

/** Fires when fewer than `bytes` bytes of a task's stack were never used. Needs the class STACK. */
TBAND_INLINE int tband_trigger_stack(uint32_t task, uint32_t bytes, uint32_t nth, uint32_t after) {
  return tband_trigger_arm(TBAND_TRIGGER_STACK, task, TBAND_AS(int64_t, bytes), nth, after);
}

/** Fires on a comparison of a value marker: TBAND_TRIGGER_AT_LEAST, TBAND_TRIGGER_AT_MOST or TBAND_TRIGGER_EQUAL. */
TBAND_INLINE int tband_trigger_value(uint32_t marker, uint32_t how, int64_t value, uint32_t nth, uint32_t after) {
  return ((how >= TBAND_TRIGGER_AT_LEAST) && (how <= TBAND_TRIGGER_EQUAL))
             ? tband_trigger_arm(how, marker, value, nth, after)
             : -1;
}

/** Fires at the n-th failure of a send, receive, peek, give, take or creation, of an object of this number or any.
 * Needs the classes that report it, such as QUEUE_EXTRA. */
TBAND_INLINE int tband_trigger_failure(uint32_t object, uint32_t nth, uint32_t after) {
  return tband_trigger_arm(TBAND_TRIGGER_FAILURE, object, 0, nth, after);
}

/** Fires when a crash was recorded, see tband_fault.h. */
TBAND_INLINE int tband_trigger_crash(uint32_t after) {
  return tband_trigger_arm(TBAND_TRIGGER_CRASH, TBAND_TRIGGER_ANY, 0, 1, after);
}

#endif /* TBAND_TRIGGERS_H */
