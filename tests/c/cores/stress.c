/* Cores that really run at once, each a thread with interrupts that nest: stress EVENTS.
 *
 * Each core records about EVENTS events: values that rise by one, in three series (main program, interrupt, interrupt
 * inside it), some as numbers and some as texts of different lengths. The series begin at numbers of 10, 6 and 1
 * digits, so that even a short run records texts of every length. Core 0 takes what there is to be taken, too, and
 * in rounds stops, takes and starts; in stress-tests of the control other cores stop and start as well.
 *
 * Streaming: the sent bytes go to stdout. Snapshots and post-mortem: after each round its bytes, each core's after a
 * line "# CORE LENGTH". The file that the second argument names gets a line "produced CORE SERIES FIRST END" for each
 * series, and "events COUNT". */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "tband.h"
#include "tband_port.h"

enum { SERIES = 3, CORE_STRIDE = 4, SIGNALS = 2 };
enum { MOST_DIGITS = 10, MOST_POINTS = 15 };
_Static_assert(MOST_DIGITS + MOST_POINTS <= tband_configMAX_STR_LEN, "the longest text is recorded whole");

_Thread_local struct stress_core stress_this;
static const uint32_t first_of[SERIES] = {4200000000U, 999000U, 0U};
/* Each is written at one level only, so none is lost to an interrupt. */
static _Thread_local volatile uint32_t next_of[SERIES];
static _Thread_local volatile uint32_t entries[SIGNALS];
static _Thread_local uint32_t seed;
static struct produced {
  uint32_t of[SERIES];
  uint32_t events;
} produced[STRESS_CORES];
static uint32_t events_each;
static atomic_uint running_cores;
static atomic_bool may_record;
static atomic_bool may_refuse = true;

uint64_t stress_time(void) {
  struct timespec now;
  CHECK_EQ(clock_gettime(CLOCK_MONOTONIC, &now), 0);
  return ((uint64_t)now.tv_sec * 1000000000U) + (uint64_t)now.tv_nsec;
}

static uint32_t dice(uint32_t sides) {
  seed = (seed * 1664525U) + 1013904223U;
  return (seed >> 8) % sides;
}

/* The next value of a series; an interrupt that comes in the middle has a separate series. */
static void record(uint32_t series) {
  const uint32_t value = next_of[series];
  next_of[series] = value + 1U;
  const uint32_t id = 1U + (stress_this.number * CORE_STRIDE) + series;
  if (value % 4U == 0U) {
    /* Digits, then the same number of points as the value's last bits: a torn text does not fit. */
    char text[MOST_DIGITS + MOST_POINTS + 1];
    uint32_t len = 0;
    uint32_t digits = value;
    do {
      text[len++] = (char)('0' + (digits % 10U));
      digits /= 10U;
    } while (digits != 0U);
    for (uint32_t points = (value / 4U) % (MOST_POINTS + 1U); points > 0U; points--) {
      text[len++] = '.';
    }
    text[len] = '\0';
    tband_evtmarker(id, text);
  } else {
    tband_valmarker(id, value);
  }
}

/* Events of this core. */
static uint32_t events(void) {
  uint32_t count = 2U * (entries[0] + entries[1]);
  for (uint32_t i = 0; i < SERIES; i++) {
    count += next_of[i] - first_of[i];
  }
  return count;
}

/* Interrupt 0 and, inside it, interrupt 1. */
static void interrupt(uint32_t number) {
  if (!atomic_load_explicit(&may_record, memory_order_relaxed)) {
    return;
  }
  entries[number] = entries[number] + 1U;
  tband_isr_enter(1U + number);
  /* The first is long, so that the second finds it open now and then. */
  for (uint32_t count = (number == 0U) ? 12U : 1U; count > 0U; count--) {
    record(1U + number);
  }
  tband_isr_exit(1U + number);
}

/* Interrupt 0 is not entered again before it has ended, interrupt 1 neither; 1 may interrupt 0. */
static _Thread_local volatile sig_atomic_t active;

static void enter(uint32_t number) {
  const sig_atomic_t bit = (sig_atomic_t)(1U << number);
  if ((active & bit) != 0 || (number == 0U && active != 0)) {
    stress_this.pending |= bit; /* a later end of a section runs it */
    return;
  }
  active |= bit;
  interrupt(number);
  active &= ~bit;
}

void stress_pending(void) {
  sigset_t both;
  sigset_t before;
  (void)sigemptyset(&both);
  (void)sigaddset(&both, SIGUSR1);
  (void)sigaddset(&both, SIGUSR2);
  (void)pthread_sigmask(SIG_BLOCK, &both, &before);
  const sig_atomic_t pending = stress_this.pending;
  stress_this.pending = 0;
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  for (uint32_t number = SIGNALS; number > 0U; number--) {
    if ((pending & (sig_atomic_t)(1U << (number - 1U))) != 0) {
      enter(number - 1U);
    }
  }
}

static void on_signal(int number) {
  const uint32_t which = (number == SIGUSR1) ? 0U : 1U;
  if (stress_this.masked != 0) {
    stress_this.pending |= (sig_atomic_t)(1U << which);
  } else {
    enter(which);
  }
}

/* Signals for this thread, often. */
static void start_interrupts(timer_t *timers) {
  const int signals[SIGNALS] = {SIGUSR1, SIGUSR2};
  for (uint32_t i = 0; i < SIGNALS; i++) {
    struct sigaction action = {.sa_handler = on_signal};
    (void)sigemptyset(&action.sa_mask);
    /* 0 does not interrupt 1. */
    (void)sigaddset(&action.sa_mask, SIGUSR1);
    action.sa_flags = SA_RESTART;
    CHECK_EQ(sigaction(signals[i], &action, NULL), 0);
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = signals[i]};
    event._sigev_un._tid = gettid();
    CHECK_EQ(timer_create(CLOCK_MONOTONIC, &event, &timers[i]), 0);
    const long ns = 70000 + (13000 * (long)i) + (1000 * (long)stress_this.number);
    const struct itimerspec often = {{0, ns}, {0, ns}};
    CHECK_EQ(timer_settime(timers[i], 0, &often, NULL), 0);
  }
}

static void end_interrupts(timer_t *timers) {
  for (uint32_t i = 0; i < SIGNALS; i++) {
    CHECK_EQ(timer_delete(timers[i]), 0);
  }
  sigset_t both;
  (void)sigemptyset(&both);
  (void)sigaddset(&both, SIGUSR1);
  (void)sigaddset(&both, SIGUSR2);
  CHECK_EQ(pthread_sigmask(SIG_BLOCK, &both, NULL), 0);
}

#if STRESS_PACKETS
static uint8_t bytes[1 << 20];

/* Takes what there is; the one reader is core 0. */
static size_t take(void) {
  size_t used = 0;
  size_t len;
  while ((len = tband_stream_read(bytes + used, 1U + dice(3000U))) != 0U) {
    used += len;
    CHECK(used + 3000U <= sizeof(bytes));
  }
  return used;
}
#endif

/* With the recorder's lock held. Some frames are not taken, as by a line that is busy. */
bool stress_send(const uint8_t *data, size_t len) {
  static uint32_t count;
  if ((++count % 97U == 0U) && atomic_load(&may_refuse)) {
    return true;
  }
  CHECK_EQ(fwrite(data, 1, len, stdout), len);
  return false;
}

#if tband_configUSE_BACKEND_STREAMING
static void start(void) { CHECK_EQ(tband_start_streaming(), 0); }
static void try_control(void) {
  (void)(dice(2) == 0U ? tband_stop_streaming() : tband_start_streaming());
}
#elif tband_configUSE_BACKEND_SNAPSHOT
static void start(void) { CHECK_EQ(tband_trigger_snapshot(), 0); }
static void stop(void) { (void)tband_stop_snapshot(); }
static void try_control(void) { (void)tband_stop_snapshot(); }
#else
static void start(void) { CHECK_EQ(tband_start_post_mortem(), 0); }
static void stop(void) { (void)tband_freeze(); }
static void try_control(void) { (void)(dice(2) == 0U ? tband_freeze() : tband_freeze_after(3)); }
#endif

#if !tband_configUSE_BACKEND_STREAMING
/* The end of a round: writes each core's bytes, and begins the next round. No other core starts one. */
static void next_round(void) {
  stop();
  while (!tband_tracing_finished()) {
    (void)sched_yield();
  }
#if STRESS_PACKETS
  const size_t taken = take();
  (void)printf("# 0 %u\n", (unsigned)taken);
  CHECK_EQ(fwrite(bytes, 1, taken, stdout), taken);
#else
  for (uint32_t core = 0; core < STRESS_CORES; core++) {
    const size_t len = tband_get_core_snapshot_buf_amnt(core);
    const volatile uint8_t *const from = tband_get_core_snapshot_buf(core);
    (void)printf("# %u %u\n", core, (unsigned)len);
    for (size_t i = 0; i < len; i++) {
      (void)putchar(from[i]);
    }
  }
#endif
#if tband_configUSE_BACKEND_SNAPSHOT
  CHECK_EQ(tband_reset_snapshot(), 0);
#endif
  start();
}
#endif

static void *core(void *number) {
  stress_this.number = (uint32_t)(uintptr_t)number;
  seed = stress_this.number + 1U;
  for (uint32_t i = 0; i < SERIES; i++) {
    next_of[i] = first_of[i];
  }
  timer_t timers[SIGNALS];
  start_interrupts(timers);
  (void)atomic_fetch_add(&running_cores, 1);
  while (atomic_load(&running_cores) < STRESS_CORES) {
    (void)sched_yield();
  }
  while (events() < events_each) {
    record(0);
    if (stress_this.number == 0U) {
#if tband_configUSE_BACKEND_STREAMING
#if STRESS_PACKETS
      if (dice(16) == 0U) {
        const size_t taken = take();
        CHECK_EQ(fwrite(bytes, 1, taken, stdout), taken);
      }
#endif
#else
      if (dice(500) == 0U) {
        next_round();
      }
#endif
    }
    if (STRESS_CONTROL && dice(3000) == 0U) {
      try_control();
    }
  }
  end_interrupts(timers);
  for (uint32_t i = 0; i < SERIES; i++) {
    produced[stress_this.number].of[i] = next_of[i];
  }
  produced[stress_this.number].events = events();
  return NULL;
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 3);
  events_each = (uint32_t)(strtoul(argv[1], NULL, 10) / STRESS_CORES);
  start();
  atomic_store(&may_record, true);
  pthread_t threads[STRESS_CORES];
  for (uintptr_t i = 0; i < STRESS_CORES; i++) {
    CHECK_EQ(pthread_create(&threads[i], NULL, core, (void *)i), 0);
  }
  /* This thread only waits until the cores end, and is core 0 afterwards. */
  for (uint32_t i = 0; i < STRESS_CORES; i++) {
    CHECK_EQ(pthread_join(threads[i], NULL), 0);
  }
  uint64_t all = 0;
#if tband_configUSE_BACKEND_STREAMING
  /* One more event of each core, which reports the events that it has dropped. */
  atomic_store(&may_refuse, false);
  for (uint32_t i = 0; i < STRESS_CORES; i++) {
    stress_this.number = i;
    tband_valmarker(1000, 0);
    all++;
  }
  stress_this.number = 0;
  (void)tband_stop_streaming();
#if STRESS_PACKETS
  const size_t taken = take();
  CHECK_EQ(fwrite(bytes, 1, taken, stdout), taken);
#endif
#else
  next_round();
  stop();
#endif
  FILE *const report = fopen(argv[2], "w");
  CHECK(report != NULL);
  for (uint32_t i = 0; i < STRESS_CORES; i++) {
    for (uint32_t j = 0; j < SERIES; j++) {
      (void)fprintf(report, "produced %u %u %u %u\n", i, j, first_of[j], produced[i].of[j]);
    }
    all += produced[i].events;
  }
  (void)fprintf(report, "events %llu\n", (unsigned long long)all);
  CHECK_EQ(fclose(report), 0);
  CHECK_EQ(fflush(stdout), 0);
  return 0;
}
