/* What is recorded, chosen while the firmware runs: by class, event and group, and by object. Pulled in by tband.h; needs
 * tband_configUSE_FILTERS 1.
 *
 * Everything is recorded until one of these functions says otherwise; they hold for recordings that are started later, too, until a reset.
 * What is left out, when and by whom is in the recording, so the host reports "not recorded" and not "nothing happened".
 * Metadata, counts of losses, crashes and what times depend on are always recorded. Of pairs, such as the begin and
 * the end of an interrupt, both are switched. With an object only its own events are: who runs, and what is created or
 * deleted, is recorded of all.
 *
 * Each returns 0, or -1 if there is no such thing, it is always recorded, 16 objects are exceptions already, or a task
 * without privileges calls, or the function that takes frames. Context: any that may record. Cost: some 5000 instructions in
 * a critical section, and 4 to 12 bytes of the recording; while nothing is left out 4 bytes a packet. */
#ifndef TBAND_FILTERS_H
#define TBAND_FILTERS_H

#include "tband.h" /* does nothing unless this header was included by itself */

#if (tband_configENABLE != 0) && tband_configUSE_FILTERS

/* In the shim. What is switched, TBAND_FILTER_*, and by whom, TBAND_BY_*: all others call it, and so does who obeys
 * commands of the host. */
int tband_filter_choose(uint32_t what, uint32_t of, bool on, uint32_t by);
/* As above, by the object's name. */
int tband_filter_choose_by_name(uint32_t kind, const char *name, bool on, uint32_t by);

/** Events of this id, TBAND_EVT_*, are recorded (`on`) or not. */
TBAND_INLINE int tband_filter_event(uint32_t event, bool on) {
  return tband_filter_choose(TBAND_FILTER_EVENT, event, on, TBAND_BY_FIRMWARE);
}

/** Events of these classes, TBAND_CLASS_* or several of them joined by |, are recorded or not. Interrupts are one class,
 * whichever way they are reported. */
TBAND_INLINE int tband_filter_class(uint32_t classes, bool on) {
  return tband_filter_choose(TBAND_FILTER_CLASSES, classes, on, TBAND_BY_FIRMWARE);
}

/** Events of a group, TBAND_GROUP_*, are recorded or not. */
TBAND_INLINE int tband_filter_group(uint32_t group, bool on) { return tband_filter_class(group, on); }

/** Events of the object of this kind, TBAND_OBJECT_*, and number are recorded or not. */
TBAND_INLINE int tband_filter_object(uint32_t kind, uint32_t number, bool on) {
  return (kind < 16U) ? tband_filter_choose(TBAND_FILTER_OBJECT + kind, number, on, TBAND_BY_FIRMWARE) : -1;
}

/** Events of all objects of this kind, TBAND_OBJECT_*, are recorded or not; what was said of single ones is forgotten. To
 * record one of them only: all off, then that one on. */
TBAND_INLINE int tband_filter_objects(uint32_t kind, bool on) {
  return (kind < 16U) ? tband_filter_choose(TBAND_FILTER_KIND + kind, 0, on, TBAND_BY_FIRMWARE) : -1;
}

/** As tband_filter_object, by the name that the object has been given. -1 if there is none in the metadata buffers too:
 * without them, before the name was given, and when there was no room for it. Of several the first. */
TBAND_INLINE int tband_filter_object_by_name(uint32_t kind, const char *name, bool on) {
  return tband_filter_choose_by_name(kind, name, on, TBAND_BY_FIRMWARE);
}

/** Everything is recorded again. */
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
