/* Two cores that really run at once. Core 1 records without a pause, up to a limit in each round, which
 * bounds the output where the machine lets one thread run for long; core 0 records, and starts, stops
 * and empties the recording again and again. Events are isr_enter with the id 2 * sequence + core.
 *
 * Core 1 names something now and then, too, which must refuse core 0 nothing.
 *
 * Snapshot: after each round this program checks that each buffer has whole frames of its core only, in
 * order, with none missing in between. Streaming: it writes the sent bytes for the test to check; nothing
 * is sent between the return of a stop and the next start. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#include "check.h"
#include "tband.h"
#include "tband_port.h"

enum { ROUNDS = 2000, EVENTS = 100, CORE_1_EVENTS = 5000 };

_Thread_local uint32_t threads_core;
static atomic_bool done;
static atomic_uint core_1_events;
static atomic_uint core_1_limit;
static atomic_uint_fast64_t now = 1;

uint64_t threads_time(void) { return atomic_fetch_add(&now, 1); }

static void *core_1(void *unused) {
  (void)unused;
  threads_core = 1;
  for (uint32_t sequence = 0; !atomic_load(&done); sequence++) {
    while (sequence == atomic_load(&core_1_limit) && !atomic_load(&done)) {
      sched_yield();
    }
    tband_isr_enter((2U * sequence) + 1U);
    if (sequence % 8U == 0U) {
      tband_isr_name(1, "core 1");
    }
    atomic_store(&core_1_events, sequence);
  }
  return NULL;
}

static pthread_t start_core_1(void) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, core_1, NULL), 0);
  return thread;
}

/* Records until core 1 has been at it too: the machine may run one thread at a time. */
static void record(uint32_t *sequence) {
  const uint32_t others = atomic_load(&core_1_events);
  atomic_store(&core_1_limit, others + CORE_1_EVENTS);
  for (int i = 0; i < EVENTS; i++) {
    tband_isr_enter(2U * *sequence);
    (*sequence)++;
  }
  while (atomic_load(&core_1_events) - others < 10U) {
    sched_yield();
  }
}

#if tband_configUSE_BACKEND_SNAPSHOT

bool threads_send(const uint8_t *data, size_t len) {
  (void)data;
  (void)len;
  return true;
}

static uint64_t varint(const uint8_t **at) {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7U) {
    const uint8_t byte = *(*at)++;
    value |= (uint64_t)(byte & 0x7FU) << shift;
    if (byte < 0x80U) {
      return value;
    }
  }
}

/* Checks the events of one core and returns how many there are. */
static uint32_t check_core(uint32_t core) {
  const volatile uint8_t *const bytes = tband_get_core_snapshot_buf(core);
  const size_t amount = tband_get_core_snapshot_buf_amnt(core);
  uint8_t payload[64];
  uint32_t count = 0;
  uint64_t last_ts = 0;
  uint64_t last_id = 0;
  size_t at = 0;
  while (at < amount) {
    size_t len = 0;
    while (bytes[at] != 0) { /* unstuff up to the end of the frame */
      const size_t code = bytes[at++];
      CHECK(code - 1U + len < sizeof(payload) && at + code - 1U < amount);
      for (size_t i = 1; i < code; i++) {
        CHECK(bytes[at] != 0);
        payload[len++] = bytes[at++];
      }
      if (bytes[at] != 0) {
        payload[len++] = 0;
      }
    }
    at++;
    if (payload[0] == 4U) {
      const uint8_t *field = payload + 1;
      const uint64_t ts = varint(&field);
      const uint64_t id = varint(&field);
      CHECK_EQ((size_t)(field - payload), len);
      CHECK_EQ(id & 1U, core);
      CHECK(count == 0U || (ts > last_ts && id == last_id + 2U));
      last_ts = ts;
      last_id = id;
      count++;
    }
  }
  CHECK_EQ(at, amount);
  return count;
}

int main(void) {
  const pthread_t other = start_core_1();
  uint32_t sequence = 1;
  uint32_t events[2] = {0, 0};
  for (int round = 0; round < ROUNDS; round++) {
    CHECK_EQ(tband_trigger_snapshot(), 0);
    record(&sequence);
    (void)tband_stop_snapshot(); /* a full buffer may have stopped it already */
    while (!tband_tracing_finished()) {
      sched_yield();
    }
    events[0] += check_core(0);
    events[1] += check_core(1);
    CHECK_EQ(tband_reset_snapshot(), 0);
  }
  atomic_store(&done, true);
  CHECK_EQ(pthread_join(other, NULL), 0);
  CHECK(events[0] > 0U && events[1] > 0U);
  return 0;
}

#else

/* Room for what both cores record at most, 16 bytes each. */
static uint8_t sent[ROUNDS / 4 * (EVENTS + CORE_1_EVENTS + 50) * 16U];
static size_t used;
static atomic_bool stopped = true;

/* With the recorder's lock held, so a plain index will do. */
bool threads_send(const uint8_t *data, size_t len) {
  CHECK(!atomic_load(&stopped));
  if (len > sizeof(sent) - used) {
    return true;
  }
  for (size_t i = 0; i < len; i++) {
    sent[used++] = data[i];
  }
  return false;
}

int main(void) {
  const pthread_t other = start_core_1();
  uint32_t sequence = 1;
  for (int round = 0; round < ROUNDS / 4; round++) {
    atomic_store(&stopped, false);
    CHECK_EQ(tband_start_streaming(), 0);
    record(&sequence);
    CHECK_EQ(tband_stop_streaming(), 0);
    atomic_store(&stopped, true);
    while (!tband_tracing_finished()) {
      sched_yield();
    }
  }
  atomic_store(&done, true);
  CHECK_EQ(pthread_join(other, NULL), 0);
  CHECK_EQ(fwrite(sent, 1, used, stdout), used);
  return 0;
}

#endif
