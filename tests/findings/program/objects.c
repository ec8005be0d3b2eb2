/* Mistakes with queues, notifications and timers. */
#include "findings.h"

static QueueHandle_t queue;

static void create_queue(UBaseType_t length) {
  queue = xQueueCreate(length, sizeof(uint32_t));
  configASSERT(queue != NULL);
  vQueueAddToRegistry(queue, "jobs");
}

/* --- busy-polling --------------------------------------------------------------------------- */

static uint32_t polls;

static void poll(void *unused) {
  (void)unused;
  uint32_t item;
  for (;;) {
    for (uint32_t left = polls; left > 0; left--) {
      (void)xQueueReceive(queue, &item, 0);
    }
    vTaskDelay(10);
  }
}

void busy_polling_fires(void) {
  create_queue(4);
  polls = 300;
  (void)create(poll, "poller", MIDDLE);
}

/* One attempt a period. */
void busy_polling_near(void) {
  create_queue(4);
  polls = 1;
  (void)create(poll, "poller", MIDDLE);
}

/* --- queue-full ----------------------------------------------------------------------------- */

static void produce(void *unused) {
  (void)unused;
  for (uint32_t item = 0;; item++) {
    (void)xQueueSend(queue, &item, 0);
    vTaskDelay(1);
  }
}

static void publish(void *unused) {
  (void)unused;
  for (uint32_t item = 0;; item++) {
    (void)xQueueOverwrite(queue, &item);
    vTaskDelay(1);
  }
}

static void consume(void *unused) {
  (void)unused;
  uint32_t item;
  for (;;) {
    (void)xQueueReceive(queue, &item, portMAX_DELAY);
    work(500);
    vTaskDelay(25);
  }
}

void queue_full_fires(void) {
  create_queue(4);
  (void)create(produce, "producer", HIGH);
  (void)create(consume, "consumer", MIDDLE);
}

/* A mailbox contains the latest value. */
void queue_full_near(void) {
  create_queue(1);
  (void)create(publish, "publisher", HIGH);
  (void)create(consume, "consumer", MIDDLE);
}

/* --- never-used ----------------------------------------------------------------------------- */

static void send_once(void *unused) {
  (void)unused;
  const uint32_t item = 1;
  vTaskDelay(pdMS_TO_TICKS(5000));
  (void)xQueueSend(queue, &item, 0);
  finish();
}

void never_used_fires(void) { create_queue(4); }

void never_used_near(void) {
  create_queue(4);
  (void)create(send_once, "sender", MIDDLE);
}

/* --- notification-lost ---------------------------------------------------------------------- */

static TaskHandle_t receiver;

static void receive_value(void *unused) {
  (void)unused;
  uint32_t value;
  for (;;) {
    (void)xTaskNotifyWait(0, UINT32_MAX, &value, portMAX_DELAY);
    work(100);
  }
}

static void count(void *unused) {
  (void)unused;
  for (;;) {
    for (uint32_t left = ulTaskNotifyTake(pdTRUE, portMAX_DELAY); left > 0; left--) {
      work(100);
    }
  }
}

/* The receiver is less urgent, so the second notification comes before it has taken the first. */
static void send_values(void *unused) {
  (void)unused;
  for (uint32_t value = 0;; value += 2U) {
    (void)xTaskNotify(receiver, value, eSetValueWithoutOverwrite);
    (void)xTaskNotify(receiver, value + 1U, eSetValueWithoutOverwrite);
    vTaskDelay(10);
  }
}

static void give_twice(void *unused) {
  (void)unused;
  for (;;) {
    (void)xTaskNotifyGive(receiver);
    (void)xTaskNotifyGive(receiver);
    vTaskDelay(10);
  }
}

void notification_lost_fires(void) {
  receiver = create(receive_value, "receiver", MIDDLE);
  (void)create(send_values, "sender", HIGH);
}

void notification_lost_near(void) {
  receiver = create(count, "receiver", MIDDLE);
  (void)create(give_twice, "sender", HIGH);
}

/* --- timer-overload ------------------------------------------------------------------------- */

/* One more command than the queue of the timer task can hold, and as many as it can hold. */
enum { ROOM = configTIMER_QUEUE_LENGTH, TIMERS = ROOM + 1, TIMER_PERIOD = 40 };
static TimerHandle_t timers[TIMERS];

static void callback(TimerHandle_t timer) {
  (void)timer;
  work(100);
}

static void start_timers(uint32_t number) {
  for (uint32_t place = 0; place < number; place++) {
    timers[place] = xTimerCreate("timer", TIMER_PERIOD, pdTRUE, NULL, callback);
    configASSERT(timers[place] != NULL);
  }
  /* The calling task is more urgent than the timer task, which takes no command in between. */
  for (uint32_t place = 0; place < number; place++) {
    (void)xTimerStart(timers[place], 0);
  }
}

void timer_overload_fires(void) { start_timers(TIMERS); }

void timer_overload_near(void) { start_timers(ROOM); }
