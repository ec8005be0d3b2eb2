/* The external backend: every event goes to the user's function, with nothing to start, and what it
 * refuses is counted. Writes M or E and the frame for each call. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

static bool refuses;

bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata) {
  CHECK(len > 0);
  CHECK_EQ(buf[len - 1], 0);
  if (!refuses) {
    const uint8_t flag = is_metadata ? 'M' : 'E';
    fake_print(&flag, 1);
    fake_print(buf, len);
  }
  /* The buffer is the user's during the call. */
  memset(buf, 0xA5, len);
  return refuses;
}

int main(void) {
  /* Tonbandgeraet's answers: nothing was started, and all the same everything is submitted. */
  CHECK(!tband_tracing_enabled());
  CHECK(tband_tracing_finished());
  CHECK(tband_tracing_backend_finished(0));
  fake_now = 4;
  tband_isr_name(1, "one");
  tband_isr_enter(1);
  tband_evtmarker(2, "two");
  tband_valmarker(3, 3);
  CHECK_EQ(tband_get_dropped_evt_cnt(), 0);
  refuses = true;
  tband_isr_exit(1);
  tband_isr_name(4, "four");
  CHECK_EQ(tband_get_dropped_evt_cnt(), 2);
  refuses = false;
  tband_isr_enter(5);
  /* code, id, number, text, zero: a refused name is in the buffer all the same */
  CHECK_EQ(tband_get_metadata_buf_amnt(0), 7 + 8);
  CHECK_EQ(fake_calls, 0);
  return 0;
}
