/* A task names an interrupt, and is moved to the other core between two steps of the search. The core on which it ends
 * has the name once, the other one its old entries. Priorities that change stay in the same buffer. */
#include <string.h>

#include "check.h"
#include "fake_port.h"
#include "tband.h"

static uint32_t step;

static void moved(void) {
  if (--step == 0U) {
    fake_core = 1U - fake_core;
  } else {
    fake_before_enter = &moved;
  }
}

/* How often an event is in a core's buffer. */
static uint32_t count(uint32_t core, uint8_t id) {
  const volatile uint8_t *const buf = tband_get_metadata_buf(core);
  const size_t len = tband_get_metadata_buf_amnt(core);
  uint32_t found = 0;
  for (size_t at = 0; at < len;) {
    if (buf[at] != 0U) {
      found += (buf[at + 1U] == id) ? 1U : 0U;
    }
    while (buf[at] != 0U) {
      at += buf[at];
    }
    at++;
  }
  return found;
}

int main(void) {
  fake_nests = true;
  /* The last loop is about the priority. */
  fake_core = 0;
  TBAND_STORE_NEW_U32_U32(TASK_BASE_PRIORITY, 1, 1);
  for (fake_core = 0; fake_core < 2U; fake_core++) {
    for (uint32_t number = 0; number < 20U; number++) {
      TBAND_RECORD_NEW_U32_STR(QUEUE_NAME, (fake_core * 100U) + number, "some_name_of_it");
    }
    tband_isr_name(7, "old"); /* found in the last step */
  }
  for (uint32_t at = 2; at < 14U; at++) {
    for (uint32_t from = 0; from < 2U; from++) {
      fake_core = from;
      step = at;
      fake_before_enter = &moved;
      tband_isr_name(7, ((at % 2U) == 0U) ? "new" : "two");
      fake_before_enter = NULL;
      for (uint32_t core = 0; core < 2U; core++) {
        CHECK_EQ(count(core, TBAND_EVT_META_U32_STR_ISR_NAME), 1U);
        CHECK_EQ(count(core, TBAND_EVT_META_U32_STR_QUEUE_NAME), 20U);
      }
    }
  }
  fake_core = 1;
  for (uint32_t number = 0; number < 100U; number++) {
    TBAND_RECORD_NEW_U32_STR(QUEUE_NAME, 300U + number, "fill");
  }
  const uint16_t dropped = (uint16_t)tband_get_metadata_dropped_cnt(1);
  CHECK(dropped != 0U);
  for (uint32_t priority = 2; priority < 50U; priority++) {
    TBAND_UPDATE_U32_U32(TASK_BASE_PRIORITY, 1, priority);
  }
  CHECK_EQ(count(0, TBAND_EVT_META_U32_U32_TASK_BASE_PRIORITY), 1U);
  CHECK_EQ(tband_get_metadata_dropped_cnt(1), dropped);
  return 0;
}
