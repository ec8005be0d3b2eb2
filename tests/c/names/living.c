/* A million objects are created, named and deleted beside a few that stay; whatever exists when a recording
 * starts, it begins with, whether for the first time or again. The hooks of a kernel are called as the
 * kernel's files call them. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

enum { LIVING = 6, OBJECTS = 1000000 };

static uint32_t last;
static uint32_t living[LIVING];

static uint32_t create(void) {
  const char *const name = &"semaphore_of_a_long_name"[last % 23U];
  last++;
  if (last % 3U == 0U) {
    TBAND_RECORD_NEW_U32_STR(TASK_NAME, last, name);
    TBAND_STORE_NEW_U32_U32(TASK_BASE_PRIORITY, last, 1U);
  } else {
    TBAND_RECORD_NEW_U32_U32(QUEUE_KIND, last, TBAND_QUEUE_KIND_MUTEX);
    TBAND_RECORD_META_U32_STR(QUEUE_NAME, last, "registered"); /* and then renamed */
    TBAND_RECORD_META_U32_STR(QUEUE_NAME, last, name);
  }
  return last;
}

static void delete(uint32_t number) {
  if (number % 3U == 0U) {
    TBAND_FORGET(TBAND_ID_BIT(TBAND_EVT_META_U32_STR_TASK_NAME) |
                     TBAND_ID_BIT(TBAND_EVT_META_U32_U32_TASK_BASE_PRIORITY),
                 number);
  } else {
    TBAND_FORGET(TBAND_ID_BIT(TBAND_EVT_META_U32_STR_QUEUE_NAME) |
                     TBAND_ID_BIT(TBAND_EVT_META_U32_U32_QUEUE_KIND),
                 number);
  }
}

static void replace(uint32_t index) {
  if (living[index] != 0) {
    delete(living[index]);
  }
  living[index] = create();
}

#if tband_configUSE_BACKEND_SNAPSHOT
static void mark(void) {
  static const uint8_t bytes[2] = {0xFF, 0};
  fake_print(bytes, sizeof(bytes));
}
#endif

int main(void) {
  uint32_t random = 1;
  tband_isr_name(0, "stays");
  while (last < OBJECTS) {
    random = (random * 1664525U) + 1013904223U;
    replace((random >> 16) % LIVING);
    fake_core = random >> 31; /* one of two, if there are two */
  }
  fake_core = 0;
  CHECK_EQ(tband_get_metadata_dropped_cnt(0), 0);

#if tband_configUSE_BACKEND_SNAPSHOT
  CHECK_EQ(tband_trigger_snapshot(), 0);
  CHECK_EQ(tband_stop_snapshot(), 0);
  fake_print(tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
  mark();
  CHECK_EQ(tband_reset_snapshot(), 0);
  replace(0);
  CHECK_EQ(tband_trigger_snapshot(), 0);
  CHECK_EQ(tband_stop_snapshot(), 0);
  fake_print(tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
  mark();
  CHECK_EQ(tband_reset_snapshot(), 0);
  CHECK_EQ(tband_trigger_snapshot(), 0);
  CHECK_EQ(tband_stop_snapshot(), 0);
  replace(1);
  CHECK_EQ(tband_trigger_snapshot(), 0); /* appends to the snapshot */
  delete(living[2]);                     /* its name is in the snapshot already */
  CHECK_EQ(tband_stop_snapshot(), 0);
  fake_print(tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
#else
  CHECK_EQ(tband_start_streaming(), 0);
  CHECK_EQ(tband_stop_streaming(), 0);
  replace(0);
  CHECK_EQ(tband_restart_streaming(), 0);
  CHECK_EQ(tband_stop_streaming(), 0);
  replace(1);
  CHECK_EQ(tband_start_streaming(), 0);
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print_sent();
#endif
  return 0;
}
