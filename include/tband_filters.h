/* Selects at run time which events are recorded: by class, event and group, and by object. Included by tband.h; needs
 * tband_configUSE_FILTERS 1.
 *
 * By default everything is recorded. A selection also applies to recordings started later, until a reset. The recording
 * contains which events were left out, when and by whom, so the host reports "not recorded" and not "nothing happened".
 * Metadata, counts of losses, crashes, and the events that times depend on are always recorded. For paired events, such
 * as entry and exit of an interrupt, both are switched together. A selection by object affects only the object's own
 * events: task switches, creations and deletions are recorded for all objects.
 *
 * Each function returns 0. It returns -1 if there is no such event, class, group or object, if the event is always
 * recorded, if 16 objects are exceptions already, if the caller is a task without privileges, or if the caller is the
 * function that takes frames. Context: any that may record. Cost: about 5000 instructions in a critical section, and 4
 * to 12 bytes of the recording; while nothing is left out, 4 bytes per packet. */
#ifndef TBAND_FILTERS_H
#define TBAND_FILTERS_H

#include "tband.h" /* has no effect unless this header was included directly */

#if (tband_configENABLE != 0) && tband_configUSE_FILTERS

/* In the shim. `what` is the kind of selection, TBAND_FILTER_*; `by` is its author, TBAND_BY_*. All functions below
 * call it, and so does the code that executes commands from the host. */
int tband_filter_choose(uint32_t what, uint32_t of, bool on, uint32_t by);
/* As above, by the object's name. */
int tband_filter_choose_by_name(uint32_t kind, const char *name, bool on, uint32_t by);

/** Records events of this id, TBAND_EVT_*, or skips them. */
TBAND_INLINE int tband_filter_event(uint32_t event, bool on) {
  return tband_filter_choose(TBAND_FILTER_EVENT, event, on, TBAND_BY_FIRMWARE);
}

/** Records events of these classes, TBAND_CLASS_* or several joined by |, or skips them. All interrupts are one
 * class, however they are reported. */
TBAND_INLINE int tband_filter_class(uint32_t classes, bool on) {
  return tband_filter_choose(TBAND_FILTER_CLASSES, classes, on, TBAND_BY_FIRMWARE);
}

/** Records events of a group, TBAND_GROUP_*, or skips them. */
TBAND_INLINE int tband_filter_group(uint32_t group, bool on) { return tband_filter_class(group, on); }

/** Records events of the object of this kind, TBAND_OBJECT_*, and number, or skips them. */
TBAND_INLINE int tband_filter_object(uint32_t kind, uint32_t number, bool on) {
  return (kind < 16U) ? tband_filter_choose(TBAND_FILTER_OBJECT + kind, number, on, TBAND_BY_FIRMWARE) : -1;
}

/** The same for all objects of this kind; removes exceptions for single objects. To record one object only: all off,
 * then that one on. */
TBAND_INLINE int tband_filter_objects(uint32_t kind, bool on) {
  return (kind < 16U) ? tband_filter_choose(TBAND_FILTER_KIND + kind, 0, on, TBAND_BY_FIRMWARE) : -1;
}

/** Like tband_filter_object(), by name, of several the first. Also returns -1 if the name is not in the metadata
 * buffers. */
TBAND_INLINE int tband_filter_object_by_name(uint32_t kind, const char *name, bool on) {
  return tband_filter_choose_by_name(kind, name, on, TBAND_BY_FIRMWARE);
}

/** Records everything again. */
TBAND_INLINE int tband_filter_reset(void) {
  return tband_filter_choose(TBAND_FILTER_ALL, 0, true, TBAND_BY_FIRMWARE);
}

#else

/* Nothing can be left out. */
TBAND_INLINE int tband_filter_event(uint32_t event, bool on) {
  (void)event;
  (void)on;
  return (tband_configENABLE != 0) ? -1 : 0;
}
TBAND_INLINE int tband_filter_class(uint32_t classes, bool on) { return tband_filter_event(classes, on); }
TBAND_INLINE int tband_filter_group(uint32_t group, bool on) { return tband_filter_event(group, on); }
TBAND_INLINE int tband_filter_object(uint32_t kind, uint32_t number, bool on) {
  (void)kind;
  return tband_filter_event(number, on);
}
TBAND_INLINE int tband_filter_objects(uint32_t kind, bool on) { return tband_filter_event(kind, on); }
TBAND_INLINE int tband_filter_object_by_name(uint32_t kind, const char *name, bool on) {
  (void)name;
  return tband_filter_event(kind, on);
}
TBAND_INLINE int tband_filter_reset(void) { return tband_filter_event(0, true); }

#endif

#endif /* TBAND_FILTERS_H */
