/* The POSIX port: the tick is a signal that the program raises itself, an interrupt a function in a
 * critical section. Writes trace.bin and expected.txt into the working folder. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"

const bool interrupts_are_real = false;
unsigned harness_isr_number;

/* The kernel's port sleeps in a separate thread between ticks, after the first; here this sleep never ends. */
int usleep(useconds_t microseconds);
int usleep(useconds_t microseconds) {
  (void)microseconds;
  for (;;) {
    (void)pause();
  }
}

/* That thread makes the first tick, and calls the kernel for it: not while recording. */
void platform_start(void) {
  while (xTaskGetTickCount() == configINITIAL_TICK_COUNT) {
  }
}

void tick(void) { CHECK(raise(SIGALRM) == 0); }

void platform_interrupt(bool nested) {
  const unsigned outside = harness_isr_number;
  harness_isr_number = nested ? ISR_INNER : ISR_OUTER;
  taskENTER_CRITICAL();
  harness_interrupt_handler();
  taskEXIT_CRITICAL();
  harness_isr_number = outside;
}

static bool save(const char *name, const volatile void *bytes, size_t len, const char *mode) {
  FILE *f = fopen(name, mode);
  const bool written = f != NULL && fwrite((const void *)bytes, 1, len, f) == len;
  return f != NULL && fclose(f) == 0 && written;
}

void platform_finish(const char *log, size_t len) {
  taskENTER_CRITICAL();
#if TBAND_USES_PACKETS
  static uint8_t bytes[1024];
  size_t read;
  CHECK(save("trace.bin", bytes, 0, "wb"));
  while ((read = tband_stream_read(bytes, sizeof bytes)) > 0) {
    CHECK(save("trace.bin", bytes, read, "ab"));
  }
#else
  CHECK(save("trace.bin", tband_get_metadata_buf(0), tband_get_metadata_buf_amnt(0), "wb"));
  CHECK(save("trace.bin", tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0), "ab"));
#endif
  CHECK(save("expected.txt", log, len, "wb"));
  _exit(EXIT_SUCCESS);
}

void platform_fail(const char *what, const char *file, int line) {
  fprintf(stderr, "%s:%d: %s\n", file, line, what);
  _exit(EXIT_FAILURE);
}
