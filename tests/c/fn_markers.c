/* tband_fn, tband_fn_begin and tband_fn_end: the marker takes the function's name, once. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

static void instant(void) { tband_fn(1); }

/* As in sources that were written for Tonbandgeraet. */
static void instant_and_end(void) {
  tband_fn(9);
  tband_fn_end();
}

static uint32_t marker_id(void) {
  static uint32_t next = 2;
  return next++; /* a second evaluation would give another id */
}

static int span(bool early) {
  tband_fn_begin(marker_id());
  if (early) {
    tband_fn_end();
    return 1;
  }
  tband_fn_end();
  return 0;
}

int main(void) {
  CHECK_EQ(tband_start_streaming(), 0);
  for (int round = 0; round < 3; round++) {
    instant();
  }
  CHECK_EQ(span(true), 1);
  CHECK_EQ(span(false), 0);
  instant_and_end();
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print_sent();
  return 0;
}
