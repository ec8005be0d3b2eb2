/* Two cores and the external backend. Writes M or E and the frame for each call. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata) {
  const uint8_t flag = is_metadata ? 'M' : 'E';
  fake_print(&flag, 1);
  fake_print(buf, len);
  return false;
}

static void on(uint32_t core, uint64_t now) {
  fake_core = core;
  fake_now = now;
}

int main(void) {
  on(1, 1);
  tband_isr_name(1, "one");
  on(0, 2);
  tband_isr_enter(2);
  on(0, 3);
  tband_isr_enter(3);
  on(1, 4);
  tband_isr_exit(4);
  return 0;
}
