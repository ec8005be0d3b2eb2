/* The getters as functions with symbols, which debuggers and other languages call: they tell what the inline ones
 * tell, and nothing of snapshots in other backends. Without WITH_SYMBOLS only those are called. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

#ifdef WITH_SYMBOLS
extern const uint8_t *metadata_buf(unsigned int core_id) __asm__("tband_get_metadata_buf");
extern size_t metadata_buf_amnt(unsigned int core_id) __asm__("tband_get_metadata_buf_amnt");
extern uint32_t metadata_dropped_cnt(unsigned int core_id) __asm__("tband_get_metadata_dropped_cnt");
extern uint32_t dropped_evt_cnt(void) __asm__("tband_get_dropped_evt_cnt");
extern const uint8_t *core_snapshot_buf(unsigned int core_id) __asm__("tband_get_core_snapshot_buf");
extern size_t core_snapshot_buf_amnt(unsigned int core_id) __asm__("tband_get_core_snapshot_buf_amnt");
#endif

int main(void) {
  tband_isr_name(1, "one");
  tband_isr_name(2, "a name that finds no room");
#if tband_configUSE_BACKEND_SNAPSHOT
  CHECK_EQ(tband_trigger_snapshot(), 0);
  tband_isr_enter(1);
  CHECK_EQ(tband_stop_snapshot(), 0);
  CHECK(tband_get_core_snapshot_buf_amnt(0) > 0);
#else
  CHECK_EQ(tband_start_streaming(), 0);
  fake_refuses = true;
  tband_isr_enter(1);
  CHECK_EQ(tband_stop_streaming(), 0);
  CHECK_EQ(tband_get_dropped_evt_cnt(), 1);
#endif
  CHECK_EQ(tband_get_metadata_dropped_cnt(0), 1);
#ifdef WITH_SYMBOLS
  for (unsigned int core = 0; core < 2; core++) {
    CHECK(metadata_buf(core) == tband_get_metadata_buf(core));
    CHECK_EQ(metadata_buf_amnt(core), tband_get_metadata_buf_amnt(core));
    CHECK_EQ(metadata_dropped_cnt(core), tband_get_metadata_dropped_cnt(core));
#if tband_configUSE_BACKEND_SNAPSHOT
    CHECK(core_snapshot_buf(core) == tband_get_core_snapshot_buf(core));
    CHECK_EQ(core_snapshot_buf_amnt(core), tband_get_core_snapshot_buf_amnt(core));
#else
    CHECK(core_snapshot_buf(core) == NULL);
    CHECK_EQ(core_snapshot_buf_amnt(core), 0);
#endif
  }
  CHECK_EQ(dropped_evt_cnt(), tband_get_dropped_evt_cnt());
#endif
  return 0;
}
