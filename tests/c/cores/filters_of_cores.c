/* A core changes the filter while another one records. The recording contains the time of each change. From that time
 * on an event that is switched on is recorded; an event that is switched off is not left out before it. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

enum { LET_IN = 4, QUEUES = 8 };

static uint32_t looks;
static uint32_t left;

/* Core 1 records one event after the other, each with a separate time; core 0 makes the changes. */
static void records(void) {
  const uint32_t core = fake_core;
  fake_core = 1;
  tband_record_u32_u32(TBAND_EVT_U32_U32_QUEUE_SEND, 1, ++looks);
  tband_record_u32_u32(TBAND_EVT_U32_U32_QUEUE_SEND, 33, ++looks);
  fake_core = core;
  if (--left != 0U) {
    fake_before_lock = &records;
  }
}

static void change(bool on) {
  left = LET_IN;
  fake_before_lock = &records;
  CHECK_EQ(tband_filter_object(TBAND_OBJECT_QUEUE, 33, on), 0);
  fake_before_lock = NULL;
}

int main(void) {
  fake_nests = true;
  fake_step = 1;
  /* Its word has a bit for the one that is changed, too. */
  CHECK_EQ(tband_filter_object(TBAND_OBJECT_QUEUE, 65, false), 0);
  CHECK_EQ(tband_start_streaming(), 0);
  for (uint32_t round = 0; round < QUEUES; round++) {
    change(round % 2U != 0U);
  }
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print_sent();
  return 0;
}
