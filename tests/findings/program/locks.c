/* Mistakes with locks. */
#include "findings.h"

static SemaphoreHandle_t a, b, gate;

/* --- deadlock, lock-order ------------------------------------------------------------------- */

static void take_both(SemaphoreHandle_t first, SemaphoreHandle_t second) {
  take(first);
  work(2500);
  take(second);
  work(100);
  give(second);
  give(first);
}

/* The more urgent task preempts the other one between its two locks. */
static void left(void *unused) {
  (void)unused;
  take_both(a, b);
  finish();
}

static void right(void *unused) {
  (void)unused;
  vTaskDelay(1);
  take_both(b, a);
  finish();
}

/* After the other task has given both. */
static void right_later(void *unused) {
  (void)unused;
  vTaskDelay(30);
  take_both(b, a);
  finish();
}

void deadlock_fires(void) {
  (a = create_mutex("a"), b = create_mutex("b"));
  (void)create(left, "left", LOW);
  (void)create(right, "right", HIGH);
}

void deadlock_near(void) {
  (a = create_mutex("a"), b = create_mutex("b"));
  (void)create(left, "left", LOW);
  (void)create(right_later, "right", HIGH);
}

void lock_order_fires(void) { deadlock_near(); }

/* A lock around both excludes the deadlock. */
static void left_in_gate(void *unused) {
  (void)unused;
  take(gate);
  take_both(a, b);
  give(gate);
  finish();
}

static void right_in_gate(void *unused) {
  (void)unused;
  vTaskDelay(1);
  take(gate);
  take_both(b, a);
  give(gate);
  finish();
}

void lock_order_near(void) {
  (a = create_mutex("a"), b = create_mutex("b"));
  gate = create_mutex("gate");
  (void)create(left_in_gate, "left", LOW);
  (void)create(right_in_gate, "right", HIGH);
}

/* --- inversion, held-while-waiting ---------------------------------------------------------- */

enum { PERIOD = 30 };

/* Runs a part of a task in each period, from this tick on. */
__attribute__((noreturn)) static void repeat(TickType_t offset, void (*part)(void)) {
  vTaskDelay(offset);
  TickType_t wake = xTaskGetTickCount();
  for (;;) {
    part();
    vTaskDelayUntil(&wake, PERIOD);
  }
}

static void work_with_lock(uint32_t us) {
  take(a);
  work(us);
  give(a);
}

static void work_long_with_lock(void) { work_with_lock(4000); }
static void work_briefly_with_lock(void) { work_with_lock(200); }
static void work_without_lock(void) { work(3000); }
static void sleep_with_lock(void) {
  take(a);
  vTaskDelay(5);
  give(a);
}

static void hold(void *unused) {
  (void)unused;
  repeat(0, work_long_with_lock);
}

static void sleep_inside(void *unused) {
  (void)unused;
  repeat(0, sleep_with_lock);
}

/* Takes the lock while the holder has it, and after the holder has given it. */
static void wait(void *unused) {
  (void)unused;
  repeat(1, work_briefly_with_lock);
}

static void use_apart(void *unused) {
  (void)unused;
  repeat(15, work_briefly_with_lock);
}

/* Runs while the others use the lock, and after they have used it. */
static void disturb(void *unused) {
  (void)unused;
  repeat(2, work_without_lock);
}

static void run_apart(void *unused) {
  (void)unused;
  repeat(15, work_without_lock);
}

/* A binary semaphore does not lend its holder the priority of the task that waits. */
void inversion_fires(void) {
  a = create_lock("bus");
  (void)create(hold, "holder", LOW);
  (void)create(disturb, "between", MIDDLE);
  (void)create(wait, "waiter", HIGH);
}

/* The waiter waits for the holder's work only. */
void inversion_near(void) {
  a = create_lock("bus");
  (void)create(hold, "holder", LOW);
  (void)create(run_apart, "between", MIDDLE);
  (void)create(wait, "waiter", HIGH);
}

void held_while_waiting_fires(void) {
  a = create_mutex("bus");
  (void)create(sleep_inside, "holder", LOW);
  (void)create(wait, "waiter", HIGH);
}

/* The other task takes the lock when it is free. */
void held_while_waiting_near(void) {
  a = create_mutex("bus");
  (void)create(sleep_inside, "holder", LOW);
  (void)create(use_apart, "other", HIGH);
}
