/* The bench program. BENCH_MEASURE_EVENTS: instructions of single events; _ROUNDS: of whole rounds;
 * _PACED: bytes of rounds with a delay every ten; _IDLE: bytes of ticks in which nothing happens; _METADATA:
 * instructions of what goes through the metadata buffer; _SIZE: nothing, it is linked and looked at.
 * Results go to the file bench.bin as pairs of 32-bit numbers: kind or key, value. */
#include <inttypes.h>

#include "FreeRTOS.h"
#include "task.h"

#include "bench.h"
#include "board.h"
#include "semihost.h"
#include "tband.h"
#include "workload.h"

/* ---- The backend ------------------------------------------------------------------------------- */

#if defined(BENCH_BACKEND_STREAMING)
#define BENCH_START() tband_start_streaming()
#define BENCH_STOP() tband_stop_streaming()
#if BENCH_TRACE && !TBAND_USES_PACKETS
#include "../../port/tband_ring.h"
TBAND_RING(bench_ring, 4096);
#endif
/* What a program does that sends the stream, without sending it. */
static void read_stream(void) {
#if BENCH_TRACE && TBAND_USES_PACKETS
  uint8_t bytes[64];
  while (tband_stream_read(bytes, sizeof(bytes)) != 0U) {
  }
#elif BENCH_TRACE
  const uint8_t *bytes;
  size_t len;
  while ((len = tband_ring_peek(&bench_ring, &bytes)) != 0U) {
    tband_ring_skip(&bench_ring, len);
  }
#endif
}
#elif defined(BENCH_BACKEND_POST_MORTEM)
#define BENCH_START() tband_start_post_mortem()
#define BENCH_STOP() tband_freeze()
/* What a program does that sends the recording. */
static void read_stream(void) {
  uint8_t bytes[64];
  if (tband_post_mortem_available()) {
    while (tband_stream_read(bytes, sizeof(bytes)) != 0U) {
    }
  }
}
#else
#define BENCH_START() tband_trigger_snapshot()
#define BENCH_STOP() tband_stop_snapshot()
static void read_stream(void) {}
#endif

/* Selects the events of the bench to record: all; all, while another object of each kind is left out; or none. Arms
 * triggers, if any, for events like those of the bench, but of another object. */
static void choose(void) {
#if defined(BENCH_FILTERS)
  static const uint32_t kinds[] = {TBAND_OBJECT_QUEUE, TBAND_OBJECT_ISR, TBAND_OBJECT_EVTMARKER,
                                   TBAND_OBJECT_VALMARKER};
  enum { ANOTHER = 20 };
  for (uint32_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
    const int result = (BENCH_FILTERS == 3) ? tband_filter_objects(kinds[kind], false)
                                            : tband_filter_object(kinds[kind], ANOTHER, BENCH_FILTERS == 1);
    if (result != 0) {
      for (;;) {
      }
    }
  }
#endif
#if defined(BENCH_TRIGGERS) && (BENCH_TRIGGERS == 2)
  static const uint32_t events[] = {TBAND_EVT_U32_TASK_SWITCHED_IN, TBAND_EVT_U32_U32_QUEUE_SEND,
                                    TBAND_EVT_U32_ISR_ENTER, TBAND_EVT_U32_S64_VALMARKER, TBAND_EVT_U32_STR_EVTMARKER};
  enum { OF_ANOTHER = 200 };
  for (uint32_t event = 0; event < sizeof(events) / sizeof(events[0]); event++) {
    if (tband_trigger_event(events[event], OF_ANOTHER, 1, 0) < 0) {
      for (;;) {
      }
    }
  }
#endif
}

#if defined(BENCH_MEASURE_SIZE)

int workload_next(int round) {
  if (round % 10 == 0) {
    vTaskDelay(1);
  }
  tband_evtmarker(1, "round");
  tband_valmarker(2, round);
  read_stream();
  return 1;
}

void workload_end(void) {
  for (;;) {
  }
}

int main(void) {
  tband_gather_system_metadata();
  tband_isr_name(15, "SysTick");
  tband_evtmarker_name(1, "event");
  tband_valmarker_name(2, "value");
  choose();
  (void)BENCH_START();
  workload_run();
}

#else

enum { KEY_COUNTS = 100, KEY_BYTES = 101 };

static struct pair {
  uint32_t key;
  uint32_t value;
} pairs[BENCH_KINDS * BENCH_SAMPLES + 2] BOARD_PSRAM;
static uint32_t used;

static void note(uint32_t key, uint32_t value) {
  pairs[used].key = key;
  pairs[used].value = value;
  used++;
}

#if defined(__riscv)
/* Both run from the start. The kernel does not set its own trap handler; the tick's interrupt is measured in its
 * hook. */
void freertos_risc_v_trap_handler(void);
static void start_clocks(void) { __asm volatile("csrw mtvec, %0" ::"r"(freertos_risc_v_trap_handler)); }

#if defined(BENCH_MEASURE_EVENTS)
void vApplicationTickHook(void) {
  BENCH_BRACKET(BENCH_ISR, tband_isr_enter(15));
  BENCH_BRACKET(BENCH_ISR_END, tband_isr_exit(15));
}
#endif
#elif defined(BENCH_CPU)
/* The tick starts the timer that it needs. */
static void start_clocks(void) {
#if defined(BENCH_CPU_cortex_a9)
  *(volatile uint32_t *)0xF8F00208UL = 1;
#elif !defined(__aarch64__) && !defined(__XTENSA__)
  __asm volatile("mcr p15, 0, %0, c9, c12, 0" ::"r"(1U));          /* PMCR.E */
  __asm volatile("mcr p15, 0, %0, c9, c12, 1" ::"r"(0x80000000U)); /* the cycle counter */
#endif
}

#if defined(BENCH_MEASURE_EVENTS)
/* The board's handler of interrupts calls it. */
void board_tick(uint32_t number);
void board_tick(uint32_t number) {
  (void)number;
  BENCH_BRACKET(BENCH_ISR, tband_isr_enter(15));
  FreeRTOS_Tick_Handler();
  BENCH_BRACKET(BENCH_ISR_END, tband_isr_exit(15));
}
#endif
#else
static void start_clocks(void) {
  board_clock_start();
  BOARD_COUNTER = (uint32_t)BENCH_COUNTER_START;
#if defined(BENCH_MEASURE_EVENTS)
  *(volatile uint32_t *)0x4002801CUL = 15; /* timestamps run 16 times slower, as the tick does */
#endif
}
#endif

static _Noreturn void finish(void) {
  const int file = semihost_create("bench.bin");
  const int trace = semihost_create("trace.bin");
  if (file < 0 || trace < 0 || !semihost_write(file, pairs, used * sizeof(pairs[0])) ||
      !semihost_write(trace, tband_get_metadata_buf(0), tband_get_metadata_buf_amnt(0))
#if defined(BENCH_BACKEND_SNAPSHOT)
      || !semihost_write(trace, tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0))
#endif
  ) {
    board_failed("cannot write the results", __FILE__, __LINE__);
  }
  semihost_close(file);
  semihost_close(trace);
  semihost_exit(0);
}

#if defined(BENCH_MEASURE_EVENTS)

#if BENCH_CORES > 1
/* The recorder is built for more cores than this one. The others do nothing: the bench measures the code that protects
 * each core from the others. */
extern const volatile uint32_t bench_core_number;
const volatile uint32_t bench_core_number = 0;
#endif

static uint32_t samples[BENCH_KINDS];
/* Arguments that the compiler cannot know. */
static volatile uint32_t some_id = 1;
static volatile int32_t some_value = 5;

void bench_sample(enum bench_kind kind, uint32_t counts) {
  if (samples[kind] < BENCH_SAMPLES) {
    samples[kind]++;
    note((uint32_t)kind, counts);
  }
}

/* What takes longest: so many of a kind that one of them opens a packet, or sends a drop count first. No interrupt
 * comes in between. */
static void measure_longest(void) {
  enum { MANY = 25 };
  const uint32_t id = some_id;
  taskENTER_CRITICAL();
  for (int count = 0; count < MANY; count++) {
    BENCH_BRACKET(BENCH_ALONE_MARKER_10, tband_evtmarker(id, "0123456789"));
  }
  read_stream();
  for (int count = 0; count < MANY; count++) {
    BENCH_BRACKET(BENCH_ALONE_MARKER_20, tband_evtmarker(id, "01234567890123456789"));
  }
  read_stream();
  tband_isr_enter(15);
  for (int count = 0; count < MANY; count++) {
    BENCH_BRACKET(BENCH_ALONE_MARKER_IN_ISR, tband_evtmarker(id, "01234567890123456789"));
  }
  tband_isr_exit(15);
  read_stream();
  taskEXIT_CRITICAL();
}

void workload_begin(void) {
  const uint32_t first = some_id;
  const int32_t second = some_value;
  taskENTER_CRITICAL();
  BENCH_BRACKET(BENCH_FIRST_RECORD, TBAND_RECORD("pos %" PRId32 " of %" PRIu32, second, first));
  taskEXIT_CRITICAL();
}

int workload_next(int round) {
  (void)round;
  read_stream();
  const uint32_t id = some_id;
  const int32_t value = some_value;
  BENCH_BRACKET(BENCH_EMPTY, (void)0);
  BENCH_BRACKET(BENCH_VALMARKER, tband_valmarker(id, value));
  BENCH_BRACKET(BENCH_EVTMARKER_10, tband_evtmarker(id, "0123456789"));
  /* Read again, so that the calls measured before do not have to keep them. */
  const uint32_t count = some_id;
  const int32_t position = some_value;
  BENCH_BRACKET(BENCH_RECORD, TBAND_RECORD("pos %" PRId32 " of %" PRIu32, position, count));
  return samples[BENCH_TASK_SWITCHED_IN] < BENCH_SAMPLES || samples[BENCH_ISR] < BENCH_SAMPLES ||
         samples[BENCH_EVTMARKER_10] < BENCH_SAMPLES;
}

void workload_end(void) {
  while (samples[BENCH_ALONE_MARKER_IN_ISR] < BENCH_SAMPLES) {
    measure_longest();
  }
  if (!tband_tracing_enabled()) {
    board_failed("the buffer was full", __FILE__, __LINE__);
  }
  (void)BENCH_STOP();
  while (samples[BENCH_STOPPED] < BENCH_SAMPLES) {
    BENCH_BRACKET(BENCH_STOPPED, TBAND_RECORD_U32_U32(QUEUE_SEND, some_id, 1));
  }
  finish();
}

#elif defined(BENCH_MEASURE_IDLE)

enum { TICKS = 100, FEW = 20 }; /* numbers of one byte both */
static uint32_t fill_after(uint32_t ticks) {
  tband_stop_snapshot();
  tband_reset_snapshot();
  tband_trigger_snapshot();
  vTaskDelay(ticks);
  if (tband_stop_snapshot() != 0 || tband_get_core_snapshot_buf_amnt(0) == 0) {
    board_failed("nothing was recorded", __FILE__, __LINE__);
  }
  return (uint32_t)tband_get_core_snapshot_buf_amnt(0);
}

/* Two delays of the only task that could run: what the longer one adds. */
int workload_next(int round) {
  (void)round;
  return 0;
}

void workload_end(void) {
  const uint32_t of_the_delay = fill_after(FEW);
  note(KEY_BYTES, fill_after(FEW + TICKS) - of_the_delay);
  finish();
}

#elif defined(BENCH_MEASURE_METADATA)

int workload_next(int round) {
  (void)round;
  return 0;
}

void workload_end(void) {}

/* xtask/src/bench/target/mod.rs has the same list. */
enum {
  KEY_NOTHING = 200,
  KEY_DROPPED,
  KEY_DELETED_FROM_FULL,
  KEY_CLOSED,
  KEY_DELETED_FROM_GAPS,
};

#define MEASURE(key, code)                   \
  do {                                       \
    BENCH_BARRIER();                         \
    const uint32_t from = BENCH_CLOCK;       \
    BENCH_BARRIER();                         \
    code;                                    \
    BENCH_BARRIER();                         \
    note((key), from - BENCH_CLOCK);         \
  } while (0)

/* What the hooks of the kernel do in tasks.c and queue.c. */
static void create_task(uint32_t number) {
  TBAND_STORE_NEW_U32_U32(TASK_BASE_PRIORITY, number, 3);
  TBAND_RECORD_NEW_U32_STR(TASK_NAME, number, "worker");
}

static void delete_task(uint32_t number) {
  TBAND_FORGET(TBAND_ID_BIT(TBAND_EVT_META_U32_STR_TASK_NAME) |
                   TBAND_ID_BIT(TBAND_EVT_META_U32_U32_TASK_IS_IDLE_TASK) |
                   TBAND_ID_BIT(TBAND_EVT_META_U32_TASK_IS_TIMER_TASK) |
                   TBAND_ID_BIT(TBAND_EVT_META_U32_U32_TASK_BASE_PRIORITY) |
                   TBAND_ID_BIT(TBAND_EVT_META_U32_U32_STR_TASK_EVTMARKER_NAME) |
                   TBAND_ID_BIT(TBAND_EVT_META_U32_U32_STR_TASK_VALMARKER_NAME),
               number);
}

static void create_semaphore(uint32_t number) {
  TBAND_RECORD_NEW_U32_U32(QUEUE_KIND, number, TBAND_QUEUE_KIND_BINARY_SEMAPHORE);
}

static void delete_semaphore(uint32_t number) {
  TBAND_FORGET(TBAND_ID_BIT(TBAND_EVT_META_U32_STR_QUEUE_NAME) |
                   TBAND_ID_BIT(TBAND_EVT_META_U32_U32_QUEUE_KIND),
               number);
}

static _Noreturn void measure_metadata(void) {
  enum { FIRST = 200 }; /* numbers of two bytes */
  uint32_t number = FIRST;
  MEASURE(KEY_NOTHING, (void)0);
  create_task(1);
  while (tband_get_metadata_dropped_cnt(0) == 0) {
    create_semaphore(++number);
  }
  MEASURE(KEY_DROPPED, create_semaphore(number));
  MEASURE(KEY_DELETED_FROM_FULL, delete_task(1));
  delete_semaphore(FIRST + 5);
  delete_semaphore(FIRST + 7);
  create_semaphore(++number);
  create_semaphore(++number);
  MEASURE(KEY_CLOSED, create_semaphore(++number));
  const uint32_t dropped = tband_get_metadata_dropped_cnt(0);
  /* The last one stays, after the gaps. */
  for (uint32_t dead = FIRST + 1; dead < number; dead++) {
    delete_semaphore(dead);
  }
  create_task(2);
  MEASURE(KEY_DELETED_FROM_GAPS, delete_task(2));
  if (dropped != 2 || tband_get_metadata_dropped_cnt(0) != 2) {
    board_failed("an entry is missing in the metadata buffer", __FILE__, __LINE__);
  }
  finish();
}

#else

static uint32_t start;

int workload_next(int round) {
#if defined(BENCH_MEASURE_PACED)
  if (round % 10 == 0) {
    vTaskDelay(1);
  }
#endif
  if (round == 1) {
    start = board_clock();
  }
  return round < WORKLOAD_ROUNDS + 1;
}

void workload_end(void) {
  note(KEY_COUNTS, board_clock() - start);
#if BENCH_TRACE
  if (!tband_tracing_enabled()) {
    board_failed("the buffer was full", __FILE__, __LINE__);
  }
  tband_stop_snapshot();
#endif
  note(KEY_BYTES, (uint32_t)tband_get_core_snapshot_buf_amnt(0));
  finish();
}

#endif

int main(void) {
  start_clocks();
#if defined(BENCH_MEASURE_METADATA)
  measure_metadata();
#endif
  tband_gather_system_metadata();
  tband_isr_name(15, "SysTick");
  choose();
  (void)BENCH_START();
  workload_run();
}

#endif
