/* Another core changes the recording between an event's first look at it and its critical section. The
 * library's functions that open a frame are replaced by one that counts, so that it shows what the
 * shim asks for, whatever the library would make of it. */
#include "fake_port.h"

#define tband_lib_snapshot_open count_open
#define tband_lib_streaming_open count_open

#include "tband_shim.c"

#include "check.h"

static uint32_t opened;

tband_frame count_open(uint32_t head, tband_core_state *core, uint64_t ts) {
  (void)head;
  (void)core;
  (void)ts;
  opened++;
  const tband_frame none = {0};
  return none;
}

static void start(void) {
#if tband_configUSE_BACKEND_SNAPSHOT
  CHECK_EQ(tband_trigger_snapshot(), 0);
#else
  CHECK_EQ(tband_start_streaming(), 0);
#endif
}

static void stop(void) {
#if tband_configUSE_BACKEND_SNAPSHOT
  CHECK_EQ(tband_stop_snapshot(), 0);
#else
  CHECK_EQ(tband_stop_streaming(), 0);
#endif
}

/* Core 0 has looked again and found that recording is off: no core has to wait for it. */
static void has_left(void) {
  CHECK(!tband_tracing_enabled());
  CHECK(tband_tracing_finished());
}

/* Core 0 has found that recording is on again: a caller that stops it now and waits for the cores to finish
 * must see that core 0 is inside an event. */
static void is_inside(void) {
  fake_at_timestamp = NULL;
  fake_core = 1;
  stop();
  CHECK(!tband_tracing_enabled());
  CHECK(!tband_tracing_finished());
  CHECK(!tband_tracing_backend_finished(0));
  CHECK(tband_tracing_backend_finished(1));
#if tband_configUSE_BACKEND_SNAPSHOT
  CHECK_EQ(tband_trigger_snapshot(), -1);
  CHECK_EQ(tband_reset_snapshot(), -1);
#endif
  fake_core = 0;
}

/* Core 1, while core 0 is between the two. */
static void stops(void) {
  fake_core = 1;
  CHECK(!tband_tracing_finished());
  stop();
  CHECK(tband_tracing_finished());
  fake_core = 0;
  fake_at_timestamp = &has_left;
}

static void stops_and_starts(void) {
  stops();
  fake_core = 1;
  start();
  fake_core = 0;
  fake_at_timestamp = &is_inside;
}

int main(void) {
  fake_nests = true; /* core 1 acts inside the critical section of core 0 */
  void (*const events[])(void) = {&stops, &stops_and_starts};
  for (uint32_t kind = 0; kind < 5; kind++) {
    for (uint32_t restarts = 0; restarts < 2; restarts++) {
      const uint32_t numbers[2] = {1, 2};
      start();
      opened = 0;
      fake_before_enter = events[restarts];
      switch (kind) {
        case 0: tband_record_u32(TBAND_EVT_U32_ISR_ENTER, 1); break;
        case 1: tband_record_u32_u32(TBAND_EVT_U32_U32_QUEUE_SEND, 1, 2); break;
        case 2: tband_valmarker(1, 2); break;
        case 3: tband_evtmarker(1, "text"); break;
        default: tband_record_numbers(TBAND_EVT_U32_ISR_ENTER, 2, numbers); break;
      }
      CHECK(fake_before_enter == NULL);
      CHECK(fake_at_timestamp == NULL);
      CHECK_EQ(opened, restarts);
      CHECK(tband_tracing_finished());
    }
  }
  return 0;
}
