/*
 * Tasks that share mutexes: low, mid and high provoke priority inheritance in
 * every round, twice and always in the same order; reader and writer, of equal
 * priority, share a recursive mutex, and a counting semaphore with the display.
 */
#include "app.h"

void low_task(void *arg) {
  (void)arg;
  tband_freertos_task_evtmarker_name(TASK_EVT_WORK, "holds bus");
  for (unsigned round = 0; round < app_rounds; round++) {
    (void)rec_take(m_bus, portMAX_DELAY);
    rec_task_evtmarker_begin(TASK_EVT_WORK, "low");
    (void)rec_give(s_wake_mid);  /* mid runs, wants the bus: low inherits 3 */
    (void)rec_give(s_wake_high); /* high runs, wants the bus: low inherits 5 */
    rec_task_evtmarker_end(TASK_EVT_WORK);
    (void)rec_give(m_bus); /* low drops to 1; high gets the bus, then mid */
    rec_delay(pdMS_TO_TICKS(45));
  }
  app_task_finished();
}

static _Noreturn void use_bus_when_woken(struct rec_queue *wake, const char *who) {
  for (unsigned round = 0; round < app_rounds; round++) {
    (void)rec_take(wake, portMAX_DELAY);
    (void)rec_take(m_bus, portMAX_DELAY);
    rec_evtmarker(EVT_BUS, who);
    (void)rec_give(m_bus);
  }
  app_task_finished();
}

void mid_task(void *arg) {
  (void)arg;
  use_bus_when_woken(s_wake_mid, "mid");
}

void high_task(void *arg) {
  (void)arg;
  use_bus_when_woken(s_wake_high, "high");
}

void config_user_task(void *arg) {
  const char *what = arg;
  tband_freertos_task_evtmarker_name(TASK_EVT_WORK, what);
  for (unsigned round = 0; round < app_rounds; round++) {
    (void)rec_take(s_slots, portMAX_DELAY);
    rec_take_recursive(m_config);
    rec_take_recursive(m_config);
    rec_task_evtmarker_begin(TASK_EVT_WORK, "a message longer than the recorder keeps");
    rec_delay(pdMS_TO_TICKS(2)); /* the other one blocks during this delay */
    rec_task_evtmarker_end(TASK_EVT_WORK);
    rec_give_recursive(m_config);
    rec_give_recursive(m_config);
    (void)rec_give(s_slots);
    rec_delay(pdMS_TO_TICKS(20));
  }
  app_task_finished();
}
