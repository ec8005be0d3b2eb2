/*
 * Tasks that exchange data: a producer that outruns its consumer, so that one
 * blocks on a full queue and the other on an empty one, and a sensor that
 * overwrites a mailbox which a display peeks at and empties.
 */
#include "app.h"

enum { LAST_SAMPLE = INT32_MIN };

/* Recorded as an instant marker named after the function. */
static uint32_t checksum(uint32_t seed) {
  tband_fn(EVT_FN_CHECKSUM);
  rec_note_fn(EVT_FN_CHECKSUM, __func__);
  uint32_t sum = seed;
  for (uint32_t i = 0; i < 64; i++) {
    sum = sum * 31u + i;
  }
  return sum;
}

/* Recorded as a span, from begin to end marker, named after the function. */
static int32_t filter(int32_t sample) {
  tband_fn_begin(EVT_FN_FILTER);
  rec_note_fn_span(EVT_FN_FILTER, __func__);
  static int32_t state;
  state += (sample - state) / 2;
  const int32_t result = state;
  tband_fn_end();
  return result;
}

void producer_task(void *arg) {
  (void)arg;
  tband_freertos_task_evtmarker_name(TASK_EVT_WORK, "filling");
  for (unsigned round = 0; round < app_rounds; round++) {
    rec_evtmarker_begin(EVT_BATCH, "six items");
    rec_task_evtmarker_begin(TASK_EVT_WORK, "send");
    for (uint32_t i = 0; i < ITEMS_PER_BATCH; i++) {
      const uint32_t item = checksum(round * ITEMS_PER_BATCH + i);
      (void)rec_send(q_data, &item, portMAX_DELAY);
    }
    rec_task_evtmarker_end(TASK_EVT_WORK);
    rec_evtmarker_end(EVT_BATCH);
    rec_delay(pdMS_TO_TICKS(40));
  }
  app_task_finished();
}

void consumer_task(void *arg) {
  (void)arg;
  tband_freertos_task_valmarker_name(TASK_VAL, "item");
  for (unsigned n = 0; n < app_rounds * ITEMS_PER_BATCH; n++) {
    uint32_t item = 0;
    (void)rec_receive(q_data, &item, portMAX_DELAY);
    rec_task_valmarker(TASK_VAL, item);
    rec_valmarker(VAL_CONSUMED, n + 1);
  }
  app_task_finished();
}

void sensor_task(void *arg) {
  (void)arg;
  TickType_t last_wake = xTaskGetTickCount();
  const unsigned samples = app_rounds * SAMPLES_PER_ROUND;
  for (unsigned n = 0; n < samples; n++) {
    (void)rec_delay_until(&last_wake, pdMS_TO_TICKS(10));
    int32_t sample = filter((int32_t)(n * 37 % 101) - 50);
    rec_valmarker(VAL_TEMPERATURE, sample);
    rec_overwrite(q_mailbox, &sample);
    if (n + 1 == samples) {
      sample = LAST_SAMPLE;
    }
    rec_overwrite(q_mailbox, &sample); /* the mailbox is still full here */
  }
  app_task_finished();
}

void display_task(void *arg) {
  (void)arg;
  tband_freertos_task_evtmarker_name(TASK_EVT_NOTE, "shown");
  int32_t sample = 0;
  do {
    (void)rec_peek(q_mailbox, &sample, portMAX_DELAY);
    (void)rec_receive(q_mailbox, &sample, 0);
    (void)rec_take(s_slots, portMAX_DELAY);
    rec_task_evtmarker(TASK_EVT_NOTE, sample < 0 ? "cold" : "warm");
    (void)rec_give(s_slots);
  } while (sample != LAST_SAMPLE);
  app_task_finished();
}
