/* Several Cortex-A53 record at the same time; the first one also takes the recording. Each counts its own events. PSCI,
 * which QEMU has in place of firmware, starts the others. */
#include "app.h"

#include "tband_ring.h"

#define ROUNDS 1000
#define NAMED_EACH 64

static struct {
  uint32_t isrs;
  uint32_t values;
  uint32_t markers;
} counts[CORES];
static uint32_t ready, done;

void secondary_start(void);
void secondary(uint32_t core);

static int64_t start_core(uint64_t core) {
  register uint64_t x0 __asm("x0") = 0xC4000003; /* CPU_ON */
  register uint64_t x1 __asm("x1") = core;
  register uint64_t x2 __asm("x2") = (uint64_t)(uintptr_t)secondary_start;
  register uint64_t x3 __asm("x3") = core;
  __asm volatile("hvc #0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x3) : "memory");
  return (int64_t)x0;
}

#if APP_MODE == APP_FRAMES
TBAND_RING(app_ring, 1024 * 1024);
bool app_stream(const uint8_t *data, size_t len) { return tband_ring_put(&app_ring, data, len); }
static bool take(void) {
  const uint8_t *data;
  const size_t len = tband_ring_peek(&app_ring, &data);
  board_send(data, len);
  tband_ring_skip(&app_ring, len);
  return len > 0;
}
#else
static bool take(void) {
  static uint8_t out[64 * 1024];
  const size_t len = tband_stream_read(out, sizeof out);
  board_send(out, len);
  return len > 0;
}
#endif

/* All cores name the same things, so they wait for the lock between cores. */
static void record(uint32_t core, uint32_t round) {
  tband_isr_enter(16 + core);
  counts[core].isrs++;
  tband_valmarker(core, round);
  counts[core].values++;
  tband_isr_exit(16 + core);
  if ((round % NAMED_EACH) == 0) {
    tband_evtmarker(core, "sixty-four more");
    counts[core].markers++;
    tband_evtmarker_name(100 + (round / NAMED_EACH), "a name that all cores give");
  }
}

void secondary(uint32_t core) {
  __atomic_add_fetch(&ready, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&ready, __ATOMIC_SEQ_CST) < CORES) {
  }
  for (uint32_t round = 0; round < ROUNDS; round++) {
    record(core, round);
  }
  __atomic_add_fetch(&done, 1, __ATOMIC_SEQ_CST);
  for (;;) {
    __asm volatile("wfi");
  }
}

int main(void) {
  tband_gather_system_metadata();
  if (tband_start_streaming() != 0) {
    board_exit(1);
  }
  for (uint64_t core = 1; core < CORES; core++) {
    if (start_core(core) != 0) {
      board_say("app: a core does not start\n");
      board_exit(1);
    }
  }
  __atomic_add_fetch(&ready, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&ready, __ATOMIC_SEQ_CST) < CORES) {
  }
  for (uint32_t round = 0; round < ROUNDS; round++) {
    record(0, round);
    if ((round % 16) == 0) {
      (void)take();
    }
  }
  while (__atomic_load_n(&done, __ATOMIC_SEQ_CST) < CORES - 1) {
    (void)take();
  }
  tband_stop_streaming();
  while (take()) {
  }
  for (uint32_t core = 0; core < CORES; core++) {
    board_say("count: core");
    board_say_number(core);
    board_say_number(counts[core].isrs);
    board_say_number(counts[core].values);
    board_say_number(counts[core].markers);
    board_say("\n");
  }
  board_exit(0);
}
