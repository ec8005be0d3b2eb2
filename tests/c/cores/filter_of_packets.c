/* A core changes the filter. When it has read the timer for the n-th time, another core opens a packet, which begins
 * with the state of the filter. After the change that core records nothing more. Argument: n; prints nothing if the
 * timer is read less often. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

static int left;

static void other_core(void) {
  if (--left > 0) {
    fake_after_timestamp = &other_core;
    return;
  }
  fake_core = 1;
  tband_record_u32_u32(TBAND_EVT_U32_U32_QUEUE_SEND, 33, 1);
  fake_core = 0;
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  left = atoi(argv[1]);
  fake_nests = true;
  fake_step = 1;
  /* So that there is something to say. */
  CHECK_EQ(tband_filter_object(TBAND_OBJECT_QUEUE, 65, false), 0);
  CHECK_EQ(tband_start_streaming(), 0);
  tband_record_u32_u32(TBAND_EVT_U32_U32_QUEUE_SEND, 1, 1);
  fake_after_timestamp = &other_core;
  CHECK_EQ(tband_filter_object(TBAND_OBJECT_QUEUE, 33, false), 0);
  if (left > 0) {
    return 0; /* the timer was read less often */
  }
  fake_core = 1;
  tband_record_u32_u32(TBAND_EVT_U32_U32_QUEUE_SEND, 33, 2);
  fake_core = 0;
  tband_record_u32_u32(TBAND_EVT_U32_U32_QUEUE_SEND, 1, 2);
  CHECK_EQ(tband_stop_streaming(), 0);
  uint8_t piece[64];
  size_t len;
  while ((len = tband_stream_read(piece, sizeof(piece))) > 0) {
    fake_print(piece, len);
  }
  return 0;
}
