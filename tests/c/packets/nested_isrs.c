/* More interrupts that are open inside each other than packets begin with, and back again, twice; the second time one
 * end is missing. Each packet begins with a marker whose number is their count. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

enum { DEPTH = 20 };

/* Numbers of any size; 1 is that of the outermost one. */
static uint32_t isr(uint32_t depth) { return (depth == 0) ? 1U : (0xFFFFFFFEU >> depth); }

static void mark_in_next_packet(uint32_t open) {
  tband_flush();
  tband_valmarker(1, open);
}

int main(void) {
  uint8_t bytes[512];
  size_t len;
  fake_step = 1;
  CHECK_EQ(tband_start_streaming(), 0);
  for (uint32_t missing = 0; missing < 2; missing++) {
    for (uint32_t depth = 0; depth < DEPTH; depth++) {
      tband_isr_enter(isr(depth));
      mark_in_next_packet(depth + 1U);
    }
    for (uint32_t depth = DEPTH; depth > 0; depth--) {
      if ((missing == 0U) || (depth != 3U)) {
        tband_isr_exit(isr(depth - 1U));
        mark_in_next_packet(depth - 1U);
      }
    }
  }
  CHECK_EQ(tband_stop_streaming(), 0);
  while ((len = tband_stream_read(bytes, sizeof(bytes))) != 0U) {
    fake_print(bytes, len);
  }
  return 0;
}
