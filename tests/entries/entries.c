/* See entries.h. */
#include "entries.h"

#define CALL(name, where, events, names, answer, ...) \
  static int32_t call_##name(void);                   \
  static int32_t call_##name(void) { __VA_ARGS__ }
#include "calls.h"
#undef CALL

#define CALL(name, where, events, names, answer, ...) {#name, where, events, names, answer, call_##name},
const struct entry entry_list[] = {
#include "calls.h"
};
const size_t entry_count = sizeof(entry_list) / sizeof(entry_list[0]);

struct entries entries __attribute__((aligned(ENTRIES_SIZE)));
_Static_assert(sizeof(struct entries) <= ENTRIES_SIZE, "the region of the task without privileges");

enum { MARKER = 7, TRIGGERS = 7 };

void entries_restore(void) {
  (void)tband_filter_reset();
  for (int number = 0; number < TRIGGERS; number++) {
    (void)tband_trigger_disarm(number);
  }
  if (!tband_tracing_enabled()) {
#if tband_configUSE_BACKEND_STREAMING
    (void)tband_start_streaming();
#elif tband_configUSE_BACKEND_SNAPSHOT
    (void)tband_reset_snapshot();
    (void)tband_trigger_snapshot();
#elif tband_configUSE_BACKEND_POST_MORTEM
    (void)tband_start_post_mortem();
#endif
  }
}

void entries_stop(void) {
  if (tband_tracing_enabled()) {
#if tband_configUSE_BACKEND_STREAMING
    (void)tband_stop_streaming();
#elif tband_configUSE_BACKEND_SNAPSHOT
    (void)tband_stop_snapshot();
#elif tband_configUSE_BACKEND_POST_MORTEM
    (void)tband_freeze();
#endif
  }
}

void entries_mark(const struct entry *entry) {
  entries_restore();
  if (!TBAND_BACKEND_IS_ALWAYS_ON && !tband_tracing_enabled()) {
    entries_fail("no recording can be started after", entry);
  }
  tband_evtmarker(MARKER, entry->name);
}
