/*
 * Task lifecycles: the operator suspends, resumes, creates and deletes tasks and changes their
 * priorities; short-lived tasks end in both possible ways; the control task waits for all others,
 * deletes them and ends recording and scheduler.
 */
#include <string.h>

#include "app.h"

enum {
  SHORT_LIVED_PRIORITY = 6, /* above the operator, who creates them: they run at once */
  DISPLAY_PRIORITY = 2,
  DISPLAY_BOOSTED = 3,
};

void app_task_finished(void) {
  (void)rec_give(s_done);
  for (;;) {
    rec_suspend_self();
  }
}

/* --- Short-lived tasks --------------------------------------------------------------- */

static void burst_task(void *arg) {
  (void)arg;
  tband_freertos_task_evtmarker_name(TASK_EVT_NOTE, "burst");
  rec_task_evtmarker(TASK_EVT_NOTE, "");
  rec_task_delete_self();
}

static void victim_task(void *arg) {
  (void)arg;
  tband_freertos_task_valmarker_name(TASK_VAL, "lowest");
  rec_task_valmarker(TASK_VAL, INT64_MIN);
  rec_suspend_self();
  configASSERT(!"nobody resumes a victim");
}

static struct rec_task *create_short_lived(TaskFunction_t code, const char *kind, unsigned round) {
  /* Unique, since tests go by the name: "burst-007". */
  char name[16] = "";
  strncpy(name, kind, sizeof name - 5);
  const char number[] = {'-', (char)('0' + round / 100 % 10), (char)('0' + round / 10 % 10),
                         (char)('0' + round % 10), '\0'};
  strcat(name, number);
  return rec_task_create(code, name, NULL, SHORT_LIVED_PRIORITY);
}

/* --- Operator --------------------------------------------------------------------------- */

static void use_scratch_queue(unsigned round) {
  uint32_t item = round;
  (void)rec_send(q_scratch, &item, 0);
  (void)rec_send(q_scratch, &item, 0);
  if (round % 2 == 1) {
    (void)rec_send(q_scratch, &item, 0);
    (void)rec_send(q_scratch, &item, 0); /* full: fails, and no event is recorded */
  }
  (void)rec_receive(q_scratch, &item, 0);
  rec_reset(q_scratch);
  (void)rec_receive(q_scratch, &item, 0); /* empty: fails, and no event is recorded */
}

void operator_task(void *arg) {
  (void)arg;
  tband_freertos_task_valmarker_name(TASK_VAL, "countdown");
  for (unsigned round = 0; round < app_rounds; round++) {
    rec_task_valmarker(TASK_VAL, -(int64_t)round);
    use_scratch_queue(round);

    /* The blinker is in a delay of 6 ticks when it is suspended; resuming ends that. */
    (void)rec_give(s_blink_go);
    rec_delay(pdMS_TO_TICKS(2));
    rec_suspend(t_blinker);
    rec_delay(pdMS_TO_TICKS(2));
    rec_resume(t_blinker);

    rec_priority_set(t_display, DISPLAY_BOOSTED);
    rec_delay(pdMS_TO_TICKS(3));
    rec_priority_set(t_display, DISPLAY_PRIORITY);

    (void)create_short_lived(burst_task, "burst", round); /* deletes itself */
    rec_task_delete(create_short_lived(victim_task, "victim", round));

    rec_delay(pdMS_TO_TICKS(35)); /* the idle task frees what the burst task leaves */
  }
  app_task_finished();
}

/* --- Tasks that others suspend and resume ------------------------------------------------ */

void blinker_task(void *arg) {
  (void)arg;
  for (unsigned round = 0; round < app_rounds; round++) {
    (void)rec_take(s_blink_go, portMAX_DELAY);
    rec_delay(pdMS_TO_TICKS(6));
  }
  app_task_finished();
}

atomic_bool sleeper_wants_waking;

void sleeper_task(void *arg) {
  (void)arg;
  tband_freertos_task_evtmarker_name(TASK_EVT_NOTE, "awake");
  for (unsigned round = 0; round < app_rounds; round++) {
    atomic_store(&sleeper_wants_waking, true);
    rec_suspend_self(); /* the UART interrupt resumes it */
    atomic_store(&sleeper_wants_waking, false);
    rec_note_resumed_from_isr();
    rec_task_evtmarker(TASK_EVT_NOTE, "resumed from ISR");
  }
  app_task_finished();
}

/* In the timer task; once per round, then the timer stops itself. */
void heartbeat_callback(TimerHandle_t timer) {
  static unsigned beats;
  if (beats < app_rounds) {
    beats++;
    rec_task_valmarker(TASK_VAL, beats);
    if (beats == app_rounds) {
      rec_timer_stop(timer);
      (void)rec_give(s_done);
    }
  }
}

/* --- Control --------------------------------------------------------------------------------- */

static bool is_other(const struct rec_task *t) {
  return t->handle != xTaskGetCurrentTaskHandle();
}

void control_task(void *arg) {
  (void)arg;
  /* The highest priority: no other task has run yet, these are the tasks that main() created. */
  const unsigned started = atomic_load(&rec.task_count);
  const unsigned to_wait_for = started - 1 + 1; /* not this one, but the heartbeat timer */
  rec_kernel_task(xTaskGetIdleTaskHandle(), "IDLE", tskIDLE_PRIORITY);
  rec_kernel_task(xTimerGetTimerDaemonTaskHandle(), "Tmr Svc", configTIMER_TASK_PRIORITY);

  rec_evtmarker(EVT_PHASE, "");
  rec_evtmarker_begin(EVT_PHASE, "all tasks at work");
  const int64_t extremes[] = {0, -1, INT64_MAX, INT64_MIN};
  for (unsigned i = 0; i < sizeof extremes / sizeof extremes[0]; i++) {
    rec_valmarker(VAL_EXTREMES, extremes[i]);
  }
  rec_timer_start(timer_heartbeat);
  uart_enable();

  for (unsigned i = 0; i < to_wait_for; i++) {
    (void)rec_take(s_done, portMAX_DELAY);
  }
  rec_delay(pdMS_TO_TICKS(30)); /* they suspend themselves, the UART sends the rest */
  for (unsigned i = 0; i < started; i++) {
    while (is_other(&rec.tasks[i]) && eTaskGetState(rec.tasks[i].handle) != eSuspended) {
      rec_delay(1); /* on a machine under load */
    }
  }
  uart_disable();
  for (unsigned i = 0; i < started; i++) {
    if (is_other(&rec.tasks[i])) {
      rec_task_delete(&rec.tasks[i]);
    }
  }
  rec_evtmarker_end(EVT_PHASE);

  taskENTER_CRITICAL();
  app_stop_tracing();
  taskEXIT_CRITICAL();
  rec_note_final_lengths();

  app_finished();
  for (;;) {
  }
}
