/* Makes the calls of a random program, into some of which others come: of interrupts, where a critical section begins,
 * and of the other core, where the timer is read or the lock taken.
 *
 * Argument: a file of calls of four words. stdout: their count and for each, in the order in which they began, its
 * number, core, first and last time, how many had begun when it was over, and its result; then the packets. */
#include <limits.h>

#include "check.h"
#include "fake_port.h"
#include "tband.h"
#include "tband_port.h"

enum what { ADVANCE, ON_CORE, SEND, ENTER, EXIT, FILTER, TAKE, FLUSH, COMES_IN };
enum { WORDS = 4, MOST = 1000, CORES = tband_portNUMBER_OF_CORES };

static uint32_t calls[MOST][WORDS];
static uint32_t count;
static uint32_t next;
static uint64_t done[MOST][6];
static uint32_t begun;
static uint8_t packets[1U << 20];
static size_t len;
static uint32_t coming; /* how many come in together, and on which core */
static uint32_t coming_on;
static bool is_inside[2]; /* the core is in a section of the recorder */
static uint32_t nested;
static bool takes;
static bool changes_filter;

static void call(void);

static void come_in(void) {
  const uint32_t core = fake_core;
  if (is_inside[coming_on]) {
    return;
  }
  fake_core = coming_on;
  nested++;
  for (uint32_t left = coming; (left > 0) && (next < count); left--) {
    call();
  }
  nested--;
  fake_core = core;
}

/* An interrupt of the core that runs, or the steps of the other core at the same time. */
static void interrupt(void) {
  if (coming_on == fake_core) {
    come_in();
  }
}

static void other_core(void) {
  const uint32_t core = fake_core;
  if (coming_on != core) {
    fake_nests = true;
    is_inside[core] = true;
    come_in();
    is_inside[core] = false;
    fake_nests = is_inside[0] || is_inside[1];
  }
}

static void take(uint32_t most) {
  const uint8_t *packet;
  size_t packet_len;
  if (takes) {
    return; /* there is one reader */
  }
  takes = true;
  /* It reads the timer with the lock, where the other core would wait for it. */
  fake_at_timestamp = NULL;
  fake_after_timestamp = NULL;
  for (; (most > 0) && ((packet = tband_packet_take(&packet_len)) != NULL); most--) {
    CHECK(len + packet_len <= sizeof(packets));
    memcpy(&packets[len], packet, packet_len);
    len += packet_len;
    tband_packet_done();
  }
  takes = false;
}

static int perform(const uint32_t *of) {
  int result = 0;
  switch ((enum what)of[0]) {
    case ADVANCE:
      fake_now += of[1];
      break;
    case ON_CORE:
      if (nested == 0) {
        fake_core = of[1];
      }
      break;
    case SEND:
      tband_record_u32_u32(of[1], of[2], of[3]);
      break;
    case ENTER:
      tband_isr_enter(of[1]);
      break;
    case EXIT:
      tband_isr_exit(of[1]);
      break;
    case FILTER:
      /* Not while the other core may be changing the filter, since it would have to finish first; nor inside another
       * change, since the last of the two is not known then. */
      if (is_inside[0] || is_inside[1] || changes_filter) {
        return 1;
      }
      changes_filter = true;
      result = tband_filter_choose(of[1], of[2], of[3] != 0, TBAND_BY_FIRMWARE);
      changes_filter = false;
      break;
    case TAKE:
      take(of[1]);
      break;
    case FLUSH:
      tband_flush();
      break;
    case COMES_IN:
      coming = of[2];
      coming_on = (CORES == 1) ? 0U : of[3];
      fake_before_enter = (of[1] == 0U) ? interrupt : NULL;
      fake_at_timestamp = (of[1] == 1U) ? other_core : NULL;
      fake_after_timestamp = (of[1] == 2U) ? other_core : NULL;
      fake_before_lock = (of[1] == 3U) ? other_core : NULL;
      break;
  }
  return result;
}

static void call(void) {
  const uint32_t *const of = calls[next];
  uint64_t *const it = done[begun++];
  it[0] = next++;
  it[1] = fake_core;
  it[2] = fake_now;
  it[5] = (uint64_t)(int64_t)perform(of);
  it[3] = fake_now;
  it[4] = begun;
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  FILE *const file = fopen(argv[1], "rb");
  CHECK(file != NULL);
  count = (uint32_t)fread(calls, sizeof(calls[0]), MOST, file);
  CHECK_EQ(fclose(file), 0);
  fake_step = 1;
  fake_now = 0xFFFFFF00U;
  CHECK_EQ(tband_start_streaming(), 0);
  while (next < count) {
    call();
  }
  fake_before_enter = NULL;
  fake_at_timestamp = NULL;
  fake_after_timestamp = NULL;
  fake_before_lock = NULL;
  CHECK_EQ(tband_stop_streaming(), 0);
  take(UINT_MAX);
  const uint64_t all = begun;
  fake_print((const uint8_t *)&all, sizeof(all));
  fake_print((const uint8_t *)done, begun * sizeof(done[0]));
  fake_print(packets, len);
  return 0;
}
