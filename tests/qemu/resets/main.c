/*
 * Test firmware: records until a timer resets the board, at any instruction, again and
 * again. The memory stays as it is. Each time it looks at what the run before has left,
 * and writes that to recordings.bin, with how far that run had come by its own record:
 * four words, which are the last step that was begun, the last one that was over,
 * whether another recording was about to take its place, and how many bytes of packets
 * follow.
 *
 * Step `n` records value marker 1 with value `n`, and each fifth one names a marker.
 */
#include <stdint.h>

#include "board.h"
#include "check.h"
#include "semihost.h"
#include "tband.h"

#define AIRCR    (*(volatile uint32_t *)0xE000ED0CUL)
#define RESET_IT 0x05FA0004U

enum { MAGIC = 0x7EB0071 };
enum { RESET_PRIORITY = 0x00, RECORDS_PRIORITY = 0x80 };
enum { ISR_RECORDS = 16 + BOARD_TIMER1_IRQ };

/* Not touched by the start-up code. */
static volatile struct {
  uint32_t magic;
  uint32_t runs;
  uint32_t random;
  int file;
  uint32_t begun; /* of the recording that is under way, or to be read */
  uint32_t over;
  uint32_t starts;
} kept BOARD_PSRAM;

void IRQ8_Handler(void);
void IRQ9_Handler(void);

static uint32_t draw(uint32_t below) {
  kept.random = (kept.random * 1664525U) + 1013904223U;
  return (kept.random >> 8) % below;
}

void IRQ8_Handler(void) {
  AIRCR = RESET_IT;
  for (;;) {
  }
}

void IRQ9_Handler(void) {
  board_timer_clear(BOARD_TIMER1);
  tband_isr_enter(ISR_RECORDS);
  tband_evtmarker(2, "isr");
  tband_isr_exit(ISR_RECORDS);
}

static void reset_within(uint32_t counts) {
  board_irq_enable(BOARD_TIMER0_IRQ, RESET_PRIORITY);
  board_timer_start(BOARD_TIMER0, 20U + draw(counts));
}

/* "n", a number, as a name. */
static const char *name_of(char kind, uint32_t number) {
  static char text[12];
  char *at = &text[sizeof text - 1];
  *at = '\0';
  do {
    *--at = (char)('0' + (number % 10U));
    number /= 10U;
  } while (number != 0U);
  *--at = kind;
  return at;
}

/* Writes the recording of the previous run to the file; the board may be reset during this. */
static void read_out(void) {
  static uint8_t recording[32768] BOARD_PSRAM;
  static uint8_t bytes[61];
  size_t len = 0;
  if (tband_post_mortem_available()) {
    CHECK(tband_post_mortem_amount() > 0);
    size_t read;
    while ((read = tband_stream_read(bytes, sizeof bytes)) != 0) {
      CHECK(len + read <= sizeof recording);
      for (size_t at = 0; at < read; at++) {
        recording[len++] = bytes[at];
      }
    }
  }
  board_timer_stop(BOARD_TIMER0);
  const uint32_t head[] = {kept.begun, kept.over, kept.starts, len};
  CHECK(semihost_write(kept.file, head, sizeof head));
  CHECK(semihost_write(kept.file, recording, len));
}

static void step(uint32_t number) {
  kept.begun = number;
  if ((number % 5U) == 0U) {
    tband_evtmarker_name(10U + ((number / 5U) % 6U), name_of('n', number));
  }
  tband_valmarker(1, (int64_t)number);
  kept.over = number;
}

int main(void) {
  const bool is_first = kept.magic != MAGIC;
  if (is_first) {
    kept.runs = 0;
    kept.random = SEED;
    kept.file = semihost_create("recordings.bin");
    CHECK(kept.file >= 0);
    CHECK(!tband_post_mortem_available()); /* whatever the memory holds */
    kept.magic = MAGIC;
  } else {
    if (draw(4) == 0U) {
      tband_evtmarker_name(20, name_of('x', kept.runs)); /* of this run, before the look */
    }
    if (draw(3) == 0U) {
      reset_within(8000);
    }
    read_out();
    kept.runs = kept.runs + 1U;
    if (kept.runs == RESETS) {
      CHECK(semihost_close(kept.file));
      return 0;
    }
  }
  tband_valmarker_name(1, name_of('v', kept.runs));
  reset_within((draw(3) == 0U) ? 500U : 40000U);
  kept.starts = 1;
  if (draw(2) == 0U) {
    CHECK(tband_clear_post_mortem() == 0);
    CHECK(!tband_post_mortem_available());
  }
  CHECK(tband_start_post_mortem() == 0);
  kept.begun = 0;
  kept.over = 0;
  kept.starts = 0;
  if (draw(2) == 0U) {
    board_irq_enable(BOARD_TIMER1_IRQ, RECORDS_PRIORITY);
    board_timer_start(BOARD_TIMER1, 700);
  }
  for (uint32_t number = 1;; number++) {
    step(number);
    for (uint32_t wait = draw(100); wait != 0U; wait--) {
      __asm volatile("");
    }
    if (draw(20) == 0U) {
      tband_keep_time();
    }
  }
}
