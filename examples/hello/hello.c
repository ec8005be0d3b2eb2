/* A program on this machine that records itself into memory and writes the file hello.bin. */
#include "hello.h"

#include <stdio.h>
#include <time.h>

#include "tband.h"

uint64_t hello_nanoseconds(void);
uint64_t hello_nanoseconds(void) {
  struct timespec now;
  (void)timespec_get(&now, TIME_UTC);
  return ((uint64_t)now.tv_sec * 1000000000U) + (uint64_t)now.tv_nsec;
}

static int save(const char *name) {
  FILE *const file = fopen(name, "wb");
  if (file == NULL) {
    return -1;
  }
#if TBAND_USES_PACKETS
  uint8_t bytes[512];
  for (size_t len; (len = tband_stream_read(bytes, sizeof bytes)) > 0U;) {
    (void)fwrite(bytes, 1, len, file);
  }
#else /* first the names, then the events */
  (void)fwrite((const void *)tband_get_metadata_buf(0), 1, tband_get_metadata_buf_amnt(0), file);
  (void)fwrite((const void *)tband_get_core_snapshot_buf(0), 1, tband_get_core_snapshot_buf_amnt(0),
               file);
#endif
  return fclose(file);
}

int main(void) {
  tband_evtmarker_name(MARKER_ROUND, "round");
  tband_valmarker_name(VALUE_LEVEL, "level");
  tband_isr_name(ISR_TIMER, "timer");
  tband_isr_name(TBAND_MAIN_PROGRAM, "hello");
  if (tband_trigger_snapshot() != 0) {
    return 1;
  }
  for (int round = 0; round < 20; round++) {
    tband_evtmarker_begin(MARKER_ROUND, "a round of ten samples");
    for (int sample = 0; sample < 10; sample++) {
      tband_isr_enter(ISR_TIMER);
      hello_sample((round * 31 + sample * 7) % 50);
      tband_isr_exit(ISR_TIMER);
    }
    tband_evtmarker_end(MARKER_ROUND);
  }
  (void)tband_stop_snapshot();
  if (save("hello.bin") != 0) {
    perror("hello.bin");
    return 1;
  }
  puts("wrote hello.bin");
  return 0;
}
