/* Records, writes the recording to trace.bin by the library's own functions, and waits for a debugger in
 * hold(). Or, with LIVE, records on and on. */
#include "board.h"
#include "semihost.h"
#include "tband.h"
#include "tband_ring.h"

#if defined(CORES)
enum { CORE_COUNT = CORES };
#else
enum { CORE_COUNT = 1 };
#endif

#if defined(RUN_TIME_HZ)
volatile uint32_t clock_hz = 1000000;
#endif
uint32_t now;
volatile uint32_t current_core;
/* The recorder fills it more than once, and the read bytes end in the middle of a frame. */
TBAND_RING(ring, 512);

/* Not known to the compiler, or a program that does not record would have nothing of the recorder. */
static volatile bool records = RECORDS;

void hold(void);
__attribute__((noinline)) void hold(void) {
  for (;;) {
    __asm volatile("nop");
  }
}

/* A debugger stops here and saves the ring of a recording that is on. */
void recorded(void);
__attribute__((noinline)) void recorded(void) { __asm volatile("nop"); }

#if tband_configUSE_BACKEND_EXTERNAL
bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata) {
  (void)is_metadata;
  return tband_ring_put(&ring, buf, len);
}
#endif

static int file;

#if defined(LIVE)
/* For ever, with no reader but the debugger. */
static void record(void) {
  tband_evtmarker_name(0, "first");
  for (int32_t value = 0;; value++) {
    tband_valmarker(0, value);
#if defined(TYPED)
    TBAND_RECORD("round %ld", (long)value);
#endif
  }
}
#else
static void record(void) {
  for (uint32_t core = 0; core < CORE_COUNT; core++) {
    current_core = core;
    tband_evtmarker_name(core, (core == 0U) ? "first" : "second");
    for (int32_t value = 0; value < 90; value++) {
      tband_valmarker(core, value * 1000);
#if defined(PACKETS) && tband_configUSE_BACKEND_STREAMING
      uint8_t bytes[7];
      if (value < 80) {
        (void)semihost_write(file, bytes, tband_stream_read(bytes, sizeof(bytes)));
      }
#elif !defined(PACKETS) && !tband_configUSE_BACKEND_SNAPSHOT
      const uint8_t *data;
      if (value < 80) {
        const size_t len = tband_ring_peek(&ring, &data);
        tband_ring_skip(&ring, (len < 7U) ? len : 7U);
      }
#endif
    }
  }
  current_core = 0;
}
#endif

#if defined(PACKETS) && !tband_configUSE_BACKEND_SNAPSHOT
static bool save(void) {
  bool ok = true;
  uint8_t bytes[64];
  size_t len = tband_stream_read(bytes, sizeof(bytes));
  while (ok && (len > 0)) {
    ok = semihost_write(file, bytes, len);
    len = tband_stream_read(bytes, sizeof(bytes));
  }
  return ok;
}
#elif tband_configUSE_BACKEND_SNAPSHOT
static bool save(void) {
  bool ok = true;
#if !defined(PACKETS)
  for (unsigned int core = 0; core < CORE_COUNT; core++) {
    ok = ok && semihost_write(file, tband_get_metadata_buf(core), tband_get_metadata_buf_amnt(core));
  }
#endif
  for (unsigned int core = 0; core < CORE_COUNT; core++) {
    ok = ok && semihost_write(file, tband_get_core_snapshot_buf(core),
                              tband_get_core_snapshot_buf_amnt(core));
  }
  return ok;
}
#else
static bool save(void) {
  bool ok = true;
  for (unsigned int core = 0; core < CORE_COUNT; core++) {
    ok = ok && semihost_write(file, tband_get_metadata_buf(core), tband_get_metadata_buf_amnt(core));
  }
  /* From the beginning of a frame. */
  tband_ring reader = ring;
  const uint8_t *data;
  size_t len = tband_ring_peek(&reader, &data);
  bool frame_begins = ring.bytes[(ring.skipped - 1U) & (ring.size - 1U)] == 0U;
  while (ok && len > 0) {
    size_t from = 0;
    while (!frame_begins && from < len) {
      frame_begins = data[from++] == 0U;
    }
    ok = semihost_write(file, &data[from], len - from);
    tband_ring_skip(&reader, len);
    len = tband_ring_peek(&reader, &data);
  }
  return ok;
}
#endif

int main(void) {
  file = semihost_create("trace.bin");
  if (file < 0) {
    board_failed("no file", __FILE__, __LINE__);
  }
  if (records) {
    tband_gather_system_metadata();
#if tband_configUSE_BACKEND_SNAPSHOT
    (void)tband_trigger_snapshot();
#elif tband_configUSE_BACKEND_STREAMING
    (void)tband_start_streaming();
#elif tband_configUSE_BACKEND_POST_MORTEM
    (void)tband_start_post_mortem();
#endif
    record();
    recorded();
#if tband_configUSE_BACKEND_SNAPSHOT
    (void)tband_stop_snapshot();
#elif tband_configUSE_BACKEND_POST_MORTEM
    (void)tband_freeze();
#elif defined(PACKETS)
    (void)tband_stop_streaming();
#endif
    if (!save()) {
      board_failed("not written", __FILE__, __LINE__);
    }
  }
  (void)semihost_close(file);
  hold();
  return 0;
}
