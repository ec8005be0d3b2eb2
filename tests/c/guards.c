/* Bytes after the recorder's memory, which nothing may write to. Linked to every test program.
 *
 * AddressSanitizer leaves room after each global variable, but does not look at what the library does,
 * which is not compiled with it. So that room is filled before the program starts, and must be as it was
 * when it ends. A frame ends with a zero, so the filling has none. HAS_NO_GUARDS: it is compiled without
 * AddressSanitizer.
 *
 * It is compiled once for all programs: nothing here depends on their configurations. */
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "tband.h"

#ifndef HAS_NO_GUARDS

/* AddressSanitizer leaves as many bytes, or pads a variable up to that size if the variable takes at most half of
 * it. */
enum { GUARD = 32, FILL = 0xA5 };

/* Not there in programs that record nothing. */
extern const tband_setup tband_debugger_setup __attribute__((weak));

struct guarded {
  const char *name;
  void *start;
  size_t size;
};

/* A buffer per core, which lie after each other. */
#define BUFFERS(name, start, each) {name, start, (size_t)setup->core_count * (size_t)(each)}

__attribute__((no_sanitize("address"), noinline)) static int visit(int checks) {
  const tband_setup *const setup = &tband_debugger_setup;
  if (setup == NULL) {
    return 0;
  }
  const struct guarded all[] = {
      {"cores", setup->cores, setup->core_count * sizeof(tband_core_state)},
      BUFFERS("metadata_bufs", setup->metadata_bufs, setup->metadata_buf_size),
      BUFFERS("event_bufs", setup->event_bufs,
              (setup->snapshot_buf_size != 0U) ? setup->snapshot_buf_size : setup->frame_buf_size),
  };
  for (size_t index = 0; index < sizeof(all) / sizeof(all[0]); index++) {
    const size_t size = all[index].size;
    const size_t room = (size <= GUARD / 2) ? GUARD - size : GUARD;
    uint8_t *const end = (uint8_t *)all[index].start + size;
    if (all[index].start == NULL) {
      continue;
    }
    for (size_t at = 0; at < room; at++) {
      if (!checks) {
        end[at] = FILL;
      } else if (end[at] != FILL) {
        (void)fprintf(stderr, "written after %s, %zu bytes: byte %zu is %u\n", all[index].name,
                      size, at, end[at]);
        return 1;
      }
    }
  }
  return 0;
}

__attribute__((constructor)) static void fill_guards(void) { (void)visit(0); }

__attribute__((destructor)) static void check_guards(void) {
  if (visit(1) != 0) {
    _exit(99);
  }
}

#else
typedef int guards_is_empty;
#endif
