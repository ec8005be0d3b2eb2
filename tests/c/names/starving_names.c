/* One core, a large metadata buffer that is nearly full. A task renames a queue, and deletes one; before each step of
 * its search something else is stored, so that each search would restart for ever. Both must end. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

static uint32_t sections;
static uint32_t priority;

static void tick(void) {
  sections++;
  CHECK(sections < 100000U);
  fake_before_enter = NULL;
  priority++;
  TBAND_UPDATE_U32_U32(TASK_BASE_PRIORITY, 1, 1U + (priority % 5U));
  fake_before_enter = &tick;
}

int main(void) {
  fake_nests = true;
  TBAND_STORE_NEW_U32_U32(TASK_BASE_PRIORITY, 1, 1);
  for (uint32_t number = 1; number <= 800; number++) {
    TBAND_RECORD_NEW_U32_STR(QUEUE_NAME, number, "some_name_of_it");
  }
  fake_before_enter = &tick;
  TBAND_RECORD_META_U32_STR(QUEUE_NAME, 800, "renamed");
  TBAND_FORGET(TBAND_ID_BIT(TBAND_EVT_META_U32_STR_QUEUE_NAME), 799);
  fake_before_enter = NULL;
  CHECK(sections > 100U);
  CHECK_EQ(tband_start_streaming(), 0);
  return 0;
}
