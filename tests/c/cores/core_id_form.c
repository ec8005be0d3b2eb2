/* Events on core 0, then 1, of two: does the shim read the core id, however the port writes it? */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

int main(void) {
  CHECK_EQ(tband_start_streaming(), 0);
  tband_isr_enter(0);
  fake_core = 1;
  tband_isr_enter(1);
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print_sent();
  return 0;
}
