/* What the firmware waits for, so that the recording ends soon after it: a queue that is full, a value, the n-th failure. Pulled in by
 * tband.h; needs tband_configUSE_TRIGGERS 1.
 *
 * A trigger that is armed fires once, right after the event that it waits for: an event `trigger` is recorded there. After as many
 * events more as it wants the recording is frozen: a snapshot and the post-mortem ring stop, in a stream an event `frozen` says it to
 * the host. One that fires meanwhile is recorded too, and there are events after it as well. Up to 7 at a time. They stay
 * armed when a recording starts, and can be armed again. What a filter leaves out fires none.
 *
 * Those that arm return the trigger's number, from 0 on, or -1 if 7 are armed already, the condition can never hold, a task
 * without privileges calls, or the function that takes frames. `nth`: it fires when the condition holds for that time, from 1
 * on. `after`: so many events follow. Context: any that may record. Cost: some 700 instructions in a critical section; the event that
 * fires takes as many more; while no trigger looks at an event, 3 to 11. */
#ifndef TBAND_TRIGGERS_H
#define TBAND_TRIGGERS_H

#include "tband.h" /* does nothing unless this header was included by itself */

#if (tband_configENABLE != 0) && tband_configUSE_TRIGGERS

/** Arms a trigger by its condition, TBAND_TRIGGER_*; those below are shorter. `of`: number of the object, or
 * TBAND_TRIGGER_ANY. `value`: what is compared, or the id of an event. */
int tband_trigger_arm(uint32_t condition, uint32_t of, int64_t value, uint32_t nth, uint32_t after);

/** Arms a trigger again, as it was set last. Returns 0, or -1 if there is none of this number. */
int tband_trigger_rearm(int number);

/** A trigger does not fire any more. Returns 0, or -1 if there is none of this number. */
int tband_trigger_disarm(int number);

/** A trigger is armed: it has not fired yet. */
bool tband_trigger_is_armed(int number);

/** How often any trigger has fired since the last reset, modulo 2^32. */
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

/** An event of this id, TBAND_EVT_*, and object. */
TBAND_INLINE int tband_trigger_event(uint32_t event, uint32_t object, uint32_t nth, uint32_t after) {
  return tband_trigger_arm(TBAND_TRIGGER_EVENT, object, TBAND_AS(int64_t, event), nth, after);
}

/** A queue has got as many items as it has room for: say how many. Needs the class QUEUE. */
TBAND_INLINE int tband_trigger_queue_full(uint32_t queue, uint32_t length, uint32_t nth, uint32_t after) {
  return tband_trigger_arm(TBAND_TRIGGER_QUEUE_FULL, queue, TBAND_AS(int64_t, length), nth, after);
}

/** A task has begun to run more than so many ticks of the port's timer after it was woken: one task. Less than a turn of 32 bits. Being
 * preempted, and a change of the priority, wake no task; being suspended ends the wait. Needs the class TASK. */
TBAND_INLINE int tband_trigger_ready_wait(uint32_t task, uint32_t ticks, uint32_t nth, uint32_t after) {
  return tband_trigger_arm(TBAND_TRIGGER_READY_WAIT, task, TBAND_AS(int64_t, ticks), nth, after);
}

/** A task has fewer than so many bytes of stack that it has never used. Needs the class STACK. */
TBAND_INLINE int tband_trigger_stack(uint32_t task, uint32_t bytes, uint32_t nth, uint32_t after) {
  return tband_trigger_arm(TBAND_TRIGGER_STACK, task, TBAND_AS(int64_t, bytes), nth, after);
}

/** A value marker is compared with a value: TBAND_TRIGGER_AT_LEAST, TBAND_TRIGGER_AT_MOST or TBAND_TRIGGER_EQUAL. */
TBAND_INLINE int tband_trigger_value(uint32_t marker, uint32_t how, int64_t value, uint32_t nth, uint32_t after) {
  return ((how >= TBAND_TRIGGER_AT_LEAST) && (how <= TBAND_TRIGGER_EQUAL))
             ? tband_trigger_arm(how, marker, value, nth, after)
             : -1;
}

/** Something has failed for the n-th time: a send, a receive or a peek, a give or a take, of an object of this number or of any;
 * or a creation. Needs the classes that report it, such as QUEUE_EXTRA. */
TBAND_INLINE int tband_trigger_failure(uint32_t object, uint32_t nth, uint32_t after) {
  return tband_trigger_arm(TBAND_TRIGGER_FAILURE, object, 0, nth, after);
}

/** A crash was recorded, see tband_fault.h. */
TBAND_INLINE int tband_trigger_crash(uint32_t after) {
  return tband_trigger_arm(TBAND_TRIGGER_CRASH, TBAND_TRIGGER_ANY, 0, 1, after);
}

#endif /* TBAND_TRIGGERS_H */
