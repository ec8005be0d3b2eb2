/* A function that takes frames and calls what is traced: an event and a name each time. Both are refused
 * and counted, the frame that is being handed out stays as it is, and everything ends.
 * Writes the stream. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

static uint32_t depth;

static void trace_something(void) {
  CHECK_EQ(depth++, 0); /* no recursion */
  if (tband_is_recording()) {
    tband_evtmarker(77, "while sending");
  }
  tband_isr_name(78, "while sending");
  depth--;
}

#if tband_configUSE_BACKEND_EXTERNAL
bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata) {
  (void)is_metadata;
  uint8_t before[64];
  CHECK(len <= sizeof(before));
  memcpy(before, buf, len);
  trace_something();
  CHECK(memcmp(before, buf, len) == 0);
  return fake_send(buf, len);
}
#endif

int main(void) {
  enum { CORES = tband_portNUMBER_OF_CORES };
  fake_nests = CORES > 1;
#if tband_configUSE_BACKEND_STREAMING
  fake_while_sending = &trace_something;
  CHECK_EQ(tband_start_streaming(), 0);
#endif
  const uint32_t at_start = fake_calls;
  for (uint32_t event = 0; event < 6; event++) {
    fake_core = event % CORES;
    fake_now++;
    if (event == 3) {
      tband_isr_name(3, "three");
    } else {
      tband_isr_enter(event);
    }
  }
  /* With each frame an event and a name, but for what was sent while recording was off yet. */
  CHECK_EQ(tband_get_dropped_evt_cnt(), (2 * fake_calls) - at_start);
#if tband_configUSE_BACKEND_STREAMING
  CHECK_EQ(tband_stop_streaming(), 0);
#endif
  uint32_t names = 0;
  for (uint32_t core = 0; core < CORES; core++) {
    names += tband_get_metadata_dropped_cnt(core);
  }
  CHECK_EQ(names, fake_calls);
  fake_print_sent();
  return 0;
}
