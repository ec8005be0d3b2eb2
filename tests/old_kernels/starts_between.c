/* A recording starts before each critical section of a hook that reports something to the metadata buffer and records
 * an event of it: it has the one or the other. Writes the recordings, each with the number that it must have. */
#include "../c/check.h"
#include "../c/fake_port/fake_port.h"
#include "FreeRTOS.h"
#include "task.h"
#include "tband.h"
#include "timers.h"

enum { FIRST = 1000, SECTIONS = 12 };

static uint32_t section;
static bool started;
static TaskHandle_t task;
static TimerHandle_t timer;

static void turn(void) {
  section--;
  if (section == 0U) {
    started = true;
    CHECK_EQ(tband_start_streaming(), 0);
  } else {
    fake_before_enter = &turn;
  }
}

static void timer_callback(TimerHandle_t xTimer) { (void)xTimer; }
static void sets_priority(uint32_t value) { vTaskPrioritySet(task, value); }
static void sets_period(uint32_t value) { vTimerProcess(timer, tmrCOMMAND_CHANGE_PERIOD, value); }
static void creates_timer(uint32_t value) {
  timer = xTimerCreate("timer", value, 1, timer_callback);
}

int main(void) {
  void (*const all[])(uint32_t value) = {sets_priority, sets_period, creates_timer};
  uint32_t value = FIRST;
  task = xTaskCreate("task", 1);
  timer = xTimerCreate("timer", 50, 1, timer_callback);
  for (size_t what = 0; what < sizeof all / sizeof all[0]; what++) {
    for (uint32_t at = 1; at < SECTIONS; at++) {
      section = at;
      started = false;
      fake_before_enter = &turn;
      all[what](++value);
      fake_before_enter = NULL;
      if (!started) {
        CHECK(at > 1U);
        break;
      }
      CHECK_EQ(tband_stop_streaming(), 0);
      tband_evtmarker_name(1, "end"); /* in no recording that is asked for */
      fake_print_sent();
      fake_forget_sent();
      /* Longer than what a frame may have by chance: any single byte is in some frame. */
      static const char mark[] = "<mark>";
      fake_print((const uint8_t *)mark, sizeof(mark) - 1U);
      (void)printf("%u", (unsigned)value);
      fake_print((const uint8_t *)mark, sizeof(mark) - 1U);
    }
  }
  return 0;
}
