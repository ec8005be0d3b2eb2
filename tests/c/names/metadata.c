/* Metadata before, during and after a recording: kept in the buffer always, sent while recording.
 * Writes the metadata buffer, then the mark FF 00, then the stream. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

/* As the registry has it, which readers go by. */
_Static_assert(TBAND_MAIN_PROGRAM == 4294967289U, "the name of the main program");

int main(void) {
  static const uint8_t mark[2] = {0xFF, 0};
  fake_now = 50;
  tband_isr_name(1, "before");
  CHECK_EQ(fake_calls, 0);
  CHECK_EQ(tband_start_streaming(), 0);
  tband_evtmarker_name(2, "while");
  CHECK_EQ(tband_stop_streaming(), 0);
  const uint32_t calls = fake_calls;
  tband_valmarker_name(3, "after");
  CHECK_EQ(fake_calls, calls);

  fake_now = 60;
  CHECK_EQ(tband_restart_streaming(), 0);
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_now = 70;
  CHECK_EQ(tband_start_streaming(), 0);
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print(tband_get_metadata_buf(0), tband_get_metadata_buf_amnt(0));
  fake_print(mark, sizeof(mark));
  fake_print_sent();
  return 0;
}
