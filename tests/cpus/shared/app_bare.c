/* Without an RTOS: interrupts, values and texts, recorded in the way that APP_MODE names; the recording goes to the
 * host. */
#include "app.h"

#define ROUNDS 500
/* Interrupts of the timer come between, where a board has them and the mode records all of them. */
#if defined(APP_HAS_INTERRUPTS) && (APP_MODE <= APP_RTT)
#define HAS_TICKS 1
#endif

static uint8_t out[256 * 1024];
static size_t used;

static void fail(const char *what) {
  board_say(what);
  board_exit(1);
}

#if APP_MODE == APP_FRAMES
bool app_stream(const uint8_t *data, size_t len) {
  if (len > sizeof out - used) {
    return true;
  }
  for (size_t i = 0; i < len; i++) {
    out[used++] = data[i];
  }
  return false;
}
static void take(size_t most) { (void)most; }
#elif APP_MODE == APP_RTT
/* As a debug probe does, in the words of the target. */
extern struct {
  char id[16];
  int32_t up_count;
  int32_t down_count;
  struct {
    const char *name;
    const uint8_t *memory;
    uint32_t size;
    volatile uint32_t write;
    volatile uint32_t read;
    uint32_t flags;
  } up;
} _SEGGER_RTT;
static void take(size_t most) {
  (void)most;
  uint32_t read = _SEGGER_RTT.up.read;
  while (read != _SEGGER_RTT.up.write) {
    out[used++] = _SEGGER_RTT.up.memory[read];
    read = (read + 1U == _SEGGER_RTT.up.size) ? 0U : read + 1U;
  }
  _SEGGER_RTT.up.read = read;
  tband_keep_time(); /* gives packets back, and writes metadata */
}
#else
static void take(size_t most) {
  size_t len;
  while ((most > 0) && (len = tband_stream_read(&out[used], (most < 64) ? most : 64)) > 0) {
    used += len;
    most -= len;
  }
}
#endif

static void record(int32_t i) {
  tband_isr_enter(7);
  tband_valmarker(2, ((int64_t)i - 100) * 1234567);
  tband_isr_exit(7);
  if ((i % 50) == 0) {
    tband_evtmarker(1, "fifty more, in a text that is not aligned");
  }
}

static void name_all(void) {
  tband_gather_system_metadata();
  tband_isr_name(7, "timer");
  tband_evtmarker_name(1, "phase");
  tband_valmarker_name(2, "level");
}

#if APP_MODE == APP_POST_MORTEM
extern void _start(void);
static uint32_t run __attribute__((section(".noinit")));

int main(void) {
  if (run == 0U) {
    run = 1;
    name_all();
    if (tband_start_post_mortem() != 0) {
      fail("no start\n");
    }
    for (int32_t i = 0; i < ROUNDS; i++) {
      record(i);
    }
#ifdef APP_FREEZE
    /* Each packet gets its check from a tick. */
    tband_freeze_after(0);
    for (int i = 0; i < 100; i++) {
      tband_keep_time();
    }
#endif
    _start(); /* a reset that leaves .noinit as it is */
  }
  tband_gather_system_metadata();
  if (!tband_post_mortem_available()) {
    fail("nothing was left\n");
  }
  take(sizeof out);
  board_send(out, used);
  board_exit(0);
}
#else
int main(void) {
  name_all();
#if APP_MODE == APP_FILTERS
  /* Not the fifties, and not the interrupt. */
  if ((tband_filter_object(TBAND_OBJECT_EVTMARKER, 1, false) != 0) ||
      (tband_filter_object(TBAND_OBJECT_ISR, 7, false) != 0)) {
    fail("no filter\n");
  }
#endif
  if (tband_start_streaming() != 0) {
    fail("no start\n");
  }
#ifdef HAS_TICKS
  board_start_timer();
#endif
  for (int32_t i = 0; i < ROUNDS; i++) {
    record(i);
#if APP_MODE == APP_SHEDDING
    /* Slower than it records, but for pauses. */
    take(((i % 250) == 249) ? sizeof out : 2);
#else
    take(sizeof out);
#endif
  }
#ifdef HAS_TICKS
  board_stop_timer();
  board_say("count: ticks");
  board_say_number(board_ticks);
  board_say("\n");
#endif
#if APP_MODE == APP_RTT
  tband_flush();
  take(sizeof out);
#endif
  tband_stop_streaming();
  for (int i = 0; i < 8; i++) {
    take(sizeof out);
  }
  board_send(out, used);
  board_exit(0);
}
#endif
