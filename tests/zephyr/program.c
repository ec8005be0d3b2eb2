/* Threads that meet each case that the module distinguishes. */
#include <stdio.h>
#include <stdlib.h>

#include "fake_kernel.h"
#include "tband_zephyr.h"

#define ROUNDS 6

static struct k_sem items, ticks, given_early, again;
static struct k_mutex lock;
static struct k_msgq queue = { 0, 2 };
static struct k_thread taker, high, low, reader, writer, suspended, short_lived, victim, extra[8], timed;

static void take_items(void) {
  for (;;) {
    (void)k_sem_take(&items, K_FOREVER);
  }
}

static void use_lock(void) {
  for (;;) {
    k_mutex_lock(&lock);
    k_mutex_lock(&lock);
    k_sleep();
    k_mutex_unlock(&lock);
    k_mutex_unlock(&lock);
    k_sleep();
  }
}

static void read_queue(void) {
  for (;;) {
    (void)k_msgq_get(&queue, K_FOREVER);
    (void)k_msgq_get(&queue, K_FOREVER);
    k_sleep();
  }
}

static void write_queue(void) {
  for (;;) {
    (void)k_msgq_put(&queue, K_FOREVER);
  }
}

static void suspend_itself(void) {
  for (;;) {
    k_thread_suspend(k_current_get());
  }
}

static void give_early(void) { k_sem_give(&given_early); }

/* It is woken before it has left, so it does not leave. */
static void wait_shortly(void) {
  for (;;) {
    k_sleep();
    fake_interrupt_before_switch(give_early);
    (void)k_sem_take(&given_early, K_FOREVER);
  }
}

static void live_shortly(void) { k_sem_give(&items); }

static void sleep_on(void) {
  for (;;) {
    k_sleep();
  }
}

static void give_tick(void) { k_sem_give(&ticks); }
static void inner(void) { k_sem_give(&items); }
static void outer(void) {
  fake_interrupt(7, inner, true);
  k_sem_give(&ticks);
}
/* A handler without hooks, inside of one with hooks. */
static void around_unreported(void) { fake_interrupt(11, inner, false); }

static void spawn(struct k_thread *thread, void (*entry)(void), int priority, const char *name) {
  k_thread_create(thread, entry, priority, name);
  k_thread_start(thread);
}

static void play(void) {
  tband_zephyr_name_mutex(&lock, "lock");
  k_sem_init(&items, 0, 10);
  tband_zephyr_name_sem(&items, "items");
  spawn(&taker, take_items, -2, "taker");
  spawn(&high, use_lock, 3, "high");
  spawn(&low, use_lock, 9, "low");
  spawn(&reader, read_queue, 5, "reader");
  spawn(&writer, write_queue, 6, "writer");
  spawn(&suspended, suspend_itself, 4, "suspended");
  spawn(&timed, wait_shortly, 2, "timed");
  ticks.limit = 1;
  given_early.limit = 1;
  for (int round = 0; round < ROUNDS; round++) {
    k_sem_give(&items);
    fake_interrupt(5, outer, true);
    fake_interrupt(6, around_unreported, true);
    fake_interrupt(0xFFFFFFFFU, give_tick, false);
    (void)k_sem_take(&ticks, K_NO_WAIT);
    (void)k_sem_take(&ticks, K_NO_WAIT);
    k_sem_init(&again, 1, 1); /* the same memory each time */
    (void)k_sem_take(&again, K_NO_WAIT);

    /* Created, named and started; it returns from its function, and its memory is used again. */
    k_thread_create(&short_lived, live_shortly, 1, NULL);
    k_sleep();
    k_thread_name_set(&short_lived, "short");
    k_thread_start(&short_lived);
    k_sleep();

    /* Ended by another thread while it waits. */
    spawn(&victim, sleep_on, 7, "victim");
    k_sleep();
    k_thread_suspend(&victim);
    k_sleep();
    k_thread_resume(&victim);
    k_sleep();
    k_thread_priority_set(&victim, 8 + (round % 2));
    k_thread_abort(&victim);

    k_thread_resume(&suspended);
    k_sleep();
    (void)k_msgq_put(&queue, K_NO_WAIT); /* it is full */
  }
  k_msgq_purge(&queue);
  k_sem_reset(&items);
  for (unsigned int at = 0; at < 8U; at++) {
    spawn(&extra[at], sleep_on, 10, "extra");
  }
  k_sleep();
  k_sleep();

  fake_close_log();
  (void)tband_stop_streaming();
  static uint8_t bytes[4096];
  FILE *trace = fopen("trace.bin", "wb");
  size_t len;
  while ((trace != NULL) && ((len = tband_stream_read(bytes, sizeof bytes)) > 0)) {
    (void)fwrite(bytes, 1, len, trace);
  }
  exit(((trace == NULL) || (fclose(trace) != 0)) ? 1 : 0);
}

int main(void) {
  fake_run(play);
  return 1;
}
