/* What core 0 does between the steps of core 1, which names something: it names the same, deletes it, or starts a
 * recording. The buffers of both are long enough for many steps. Writes each recording. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

enum { OTHERS = 24, SAME = 7, STEPS = 40 };

static const char *const OTHER_TEXT = "some_name_of_it";
static uint32_t step;  /* before which critical section core 0 acts */
static uint32_t acted; /* times that it did */
static void (*act)(void);
static bool started;

static void on(uint32_t core, void (*work)(void)) {
  const uint32_t before = fake_core;
  fake_core = core;
  work();
  fake_core = before;
}

static void names_it(void) { TBAND_RECORD_META_U32_STR(QUEUE_NAME, SAME, "of core 0"); }
static void names_another(void) { TBAND_RECORD_META_U32_STR(QUEUE_NAME, 1, "another name"); }
static void deletes_it(void) {
  TBAND_FORGET(TBAND_ID_BIT(TBAND_EVT_META_U32_STR_QUEUE_NAME), SAME);
}

static void start(void) {
#if tband_configUSE_BACKEND_SNAPSHOT
  CHECK_EQ(tband_trigger_snapshot(), 0);
#else
  CHECK_EQ(tband_start_streaming(), 0);
#endif
}

static void starts(void) {
  started = true;
  start();
}

static void stop(void) {
#if tband_configUSE_BACKEND_SNAPSHOT
  CHECK_EQ(tband_stop_snapshot(), 0);
#else
  CHECK_EQ(tband_stop_streaming(), 0);
#endif
}

/* Before a critical section, or of a lock, of core 1. */
static void turn(void) {
  step--;
  if (step == 0U) {
    acted++;
    on(0, act);
  } else if (act == &starts) {
    fake_before_lock = &turn;
  } else {
    fake_before_enter = &turn;
  }
}

static void always(void) {
  acted++;
  CHECK(acted < 10000U);
  on(0, &names_another);
  fake_before_enter = &always;
}

static void core_1_names_it(void) { TBAND_RECORD_META_U32_STR(QUEUE_NAME, SAME, "of core 1"); }

static void mark(void) {
  static const uint8_t bytes[2] = {0xFF, 0};
  fake_print(bytes, sizeof(bytes));
}

/* The names of `SAME` in the buffer of a core. */
static uint32_t names_in(uint32_t core) {
  const volatile uint8_t *const bytes = tband_get_metadata_buf(core);
  const size_t amount = tband_get_metadata_buf_amnt(core);
  uint32_t count = 0;
  for (size_t at = 0; at + 2U < amount; at++) {
    if (bytes[at + 1U] == TBAND_EVT_META_U32_STR_QUEUE_NAME && bytes[at + 2U] == SAME &&
        (at == 0U || bytes[at - 1U] == 0U)) {
      count++;
    }
  }
  return count;
}

static void names_others(void) {
  for (uint32_t other = 0; other < OTHERS; other++) {
    TBAND_RECORD_META_U32_STR(QUEUE_NAME, (fake_core * 100U) + 20U + other, OTHER_TEXT);
  }
}

/* Core 0 acts before each step in turn, until core 1 is through before it. */
static void ahead_of_each_step(void (*what)(void), uint32_t names) {
  act = what;
  for (uint32_t at = 1; at < STEPS; at++) {
    acted = 0;
    step = at;
    if (what == &starts) {
      fake_before_lock = &turn;
    } else {
      fake_before_enter = &turn;
    }
    on(1, &core_1_names_it);
    fake_before_enter = NULL;
    fake_before_lock = NULL;
    if (acted == 0U) {
      CHECK(at > 8U);
      return;
    }
    const uint32_t found = names_in(0) + names_in(1);
    CHECK(found == names || (names == 0U && found == 1U));
    if (started) {
      stop();
      started = false;
#if tband_configUSE_BACKEND_SNAPSHOT
      for (uint32_t core = 0; core < 2U; core++) {
        fake_print(tband_get_core_snapshot_buf(core), tband_get_core_snapshot_buf_amnt(core));
      }
      CHECK_EQ(tband_reset_snapshot(), 0);
#else
      fake_print_sent();
      fake_forget_sent();
#endif
      mark();
    }
    on(0, &deletes_it);
    CHECK_EQ(names_in(0) + names_in(1), 0);
  }
  CHECK(false);
}

int main(void) {
  fake_nests = true;
  on(0, &names_others);
  on(1, &names_others);
  CHECK_EQ(tband_get_metadata_dropped_cnt(0) + tband_get_metadata_dropped_cnt(1), 0);
  ahead_of_each_step(&names_it, 1);
  /* It may be deleted before or after core 1 is through. */
  ahead_of_each_step(&deletes_it, 0);
  /* The search of a core ends even if another core stores something before each step. */
  acted = 0;
  fake_before_enter = &always;
  on(1, &core_1_names_it);
  fake_before_enter = NULL;
  CHECK(acted > 8U);
  CHECK_EQ(names_in(0) + names_in(1), 1);
  on(0, &deletes_it);
  ahead_of_each_step(&starts, 1);
  return 0;
}
