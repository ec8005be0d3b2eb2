/* Two threads that exchange messages, and a timer whose interrupt wakes a third. The recording starts with the kernel
 * and stops when its memory is full. */
#include <zephyr/kernel.h>

#include "tband_zephyr.h"

#define STACK 1024

K_MSGQ_DEFINE(numbers, sizeof(int), 4, 4);
K_SEM_DEFINE(alarm, 0, 1);
K_MUTEX_DEFINE(total_lock);
static int total;

static void add(int number) {
  (void)k_mutex_lock(&total_lock, K_FOREVER);
  total += number;
  (void)k_mutex_unlock(&total_lock);
}

static void produce(void *a, void *b, void *c) {
  (void)a;
  (void)b;
  (void)c;
  for (int number = 0;; number++) {
    tband_evtmarker(1, "produces");
    (void)k_msgq_put(&numbers, &number, K_FOREVER);
    k_sleep(K_MSEC(2));
  }
}

static void consume(void *a, void *b, void *c) {
  (void)a;
  (void)b;
  (void)c;
  for (;;) {
    int number;
    (void)k_msgq_get(&numbers, &number, K_FOREVER);
    add(number);
    k_busy_wait(300);
  }
}

static void watch(void *a, void *b, void *c) {
  (void)a;
  (void)b;
  (void)c;
  for (;;) {
    (void)k_sem_take(&alarm, K_FOREVER);
    add(-1);
  }
}

static void ring(struct k_timer *timer) {
  (void)timer;
  k_sem_give(&alarm);
}
K_TIMER_DEFINE(clock, ring, NULL);

K_THREAD_DEFINE(producer, STACK, produce, NULL, NULL, NULL, 5, 0, 0);
K_THREAD_DEFINE(consumer, STACK, consume, NULL, NULL, NULL, 7, 0, 0);
K_THREAD_DEFINE(watcher, STACK, watch, NULL, NULL, NULL, 3, 0, 0);

int main(void) {
  tband_evtmarker_name(1, "producer");
  tband_zephyr_name_msgq(&numbers, "numbers");
  tband_zephyr_name_sem(&alarm, "alarm");
  tband_zephyr_name_mutex(&total_lock, "total_lock");
  k_timer_start(&clock, K_MSEC(5), K_MSEC(5));
  return 0;
}
