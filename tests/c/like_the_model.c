/* Random events with a number, and with a text. Arguments: the seed, and the number of events. The Rust model of the
 * shim's hot path records the same (tests/c_abi/model.rs). */
#include <stdlib.h>

#include "check.h"
#include "fake_port.h"
#include "tband.h"

static uint32_t state;

static uint32_t draw(uint32_t below) {
  state = (state * 1664525U) + 1013904223U;
  return (state >> 8) % below;
}

/* A number of any length. */
static uint64_t shifted(uint32_t most) {
  const uint64_t any = draw(1U << 16);
  const uint32_t left = draw(most);
  return (any << left) >> draw(17);
}

int main(int argc, char **argv) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
  CHECK_EQ(argc, 3);
  state = (uint32_t)strtoul(argv[1], NULL, 10);
  const uint32_t count = (uint32_t)strtoul(argv[2], NULL, 10);
  fake_now = 1000;
  CHECK_EQ(tband_trigger_snapshot(), 0);
  for (uint32_t at = 0; at < count; at++) {
    fake_now += shifted(18);
    if (draw(40) == 0U) {
      fake_now += (uint64_t)draw(8) << 30;
    }
    const uint32_t number = (uint32_t)shifted(16);
    const uint32_t from = draw(28);
    if (from < 14U) {
      TBAND_RECORD_U32(TASK_SWITCHED_IN, number);
    } else {
      tband_evtmarker(number, (from == 27U) ? NULL : &letters[from - 1U]);
    }
  }
  CHECK_EQ(tband_stop_snapshot(), 0);
  fake_print(tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
  fake_print_sent();
  return 0;
}
