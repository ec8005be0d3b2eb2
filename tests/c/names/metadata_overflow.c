/* A metadata buffer that takes two names of three letters and one of two; each backend must count
 * and report what else there was. Writes the stream, or metadata and snapshot buffer. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

static void expect(size_t amount, uint32_t dropped) {
  /* A frame is a code byte, id, one byte of number, the text and a zero. */
  CHECK_EQ(tband_get_metadata_buf_amnt(0), amount);
  CHECK_EQ(tband_get_metadata_dropped_cnt(0), dropped);
}

static int start(void) {
#if tband_configUSE_BACKEND_STREAMING
  return tband_start_streaming();
#else
  return tband_trigger_snapshot();
#endif
}

static void write_out(void) {
#if tband_configUSE_BACKEND_STREAMING
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print_sent();
#else
  CHECK_EQ(tband_stop_snapshot(), 0);
  fake_print(tband_get_metadata_buf(0), tband_get_metadata_buf_amnt(0));
  fake_print(tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
#endif
}

int main(void) {
#if tband_configMETADATA_BUF_SIZE == 1
  for (uint32_t id = 0; id < 70000; id++) {
    tband_isr_name(id, "");
    expect(0, (id < 65535) ? id + 1 : 65535);
  }
  CHECK_EQ(start(), 0);
#else
  tband_isr_name(1, "abc");
  expect(7, 0);
  tband_isr_name(2, "abc");
  expect(14, 0);
  tband_isr_name(3, "abc"); /* 7 bytes, 6 are left */
  expect(14, 1);
  tband_isr_name(4, "ab");
  expect(20, 1);
  tband_isr_name(5, ""); /* full to the last byte */
  expect(20, 2);
  CHECK_EQ(start(), 0);
  tband_isr_name(6, "x");
  expect(20, 3);
#endif
  write_out();
  CHECK_EQ(tband_get_dropped_evt_cnt(), 0); /* no event was refused */
  return 0;
}
