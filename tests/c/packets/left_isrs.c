/* Interrupts whose end is not recorded: a handler leaves it out, or recording is off then. Each packet begins with a
 * marker whose number is the count of open interrupts. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

enum { INNER = 3, OUTER = 7 };

static void mark_in_next_packet(int64_t open) {
  tband_flush();
  tband_valmarker(1, open);
}

static void print_all(void) {
  uint8_t bytes[512];
  size_t len;
  while ((len = tband_stream_read(bytes, sizeof(bytes))) != 0U) {
    fake_print(bytes, len);
  }
}

static void enter_both(void) {
  tband_isr_enter(OUTER);
  tband_isr_enter(INNER);
  mark_in_next_packet(2);
}

static void enter_and_exit_outer(void) {
  tband_isr_enter(OUTER);
  mark_in_next_packet(1);
  tband_isr_exit(OUTER);
  mark_in_next_packet(0);
}

int main(void) {
  fake_step = 1;
  CHECK_EQ(tband_start_streaming(), 0);
  enter_both();
  tband_isr_exit(OUTER);
  mark_in_next_packet(0);
  enter_and_exit_outer();
  enter_both();
  CHECK_EQ(tband_stop_streaming(), 0);
  print_all();
  tband_isr_exit(INNER);
  tband_isr_exit(OUTER);
  CHECK_EQ(tband_start_streaming(), 0);
  mark_in_next_packet(0);
  enter_and_exit_outer();
  CHECK_EQ(tband_stop_streaming(), 0);
  print_all();
  return 0;
}
