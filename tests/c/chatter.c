/* Random events of all layouts. Arguments: the seed of the generator, the number of events, and the haste of the
 * reader, 0 to
 * 100. Frames and packets contain the same events at the same times. */
#include <stdlib.h>

#include "check.h"
#include "fake_port.h"
#include "tband.h"

static uint64_t state;

static uint32_t draw(uint32_t below) {
  state = (state * 6364136223846793005U) + 1442695040888963407U;
  return (uint32_t)(state >> 33) % below;
}

/* A number of any length. */
static uint32_t number(void) {
  const uint32_t bits = draw(33);
  const uint32_t any = (draw(1U << 16) << 16) | draw(1U << 16);
  return (bits == 0U) ? 0U : (any >> (32U - bits));
}

static int64_t signed_number(void) {
  const uint64_t any = ((uint64_t)number() << 32) | number();
  const int64_t value = (int64_t)(any >> draw(64));
  return (draw(2) == 0U) ? value : -value;
}

static const char *text(void) {
  static char letters[40];
  const uint32_t len = draw(30);
  for (uint32_t at = 0; at < len; at++) {
    letters[at] = (char)('a' + (char)draw(26));
  }
  letters[len] = '\0';
  return letters;
}

static void let_time_pass(void) {
  static const uint64_t most[] = {1, 60, 70, 16000, 17000, 1U << 29, 1ULL << 34};
  uint64_t left = (((uint64_t)number() << 3) % most[draw(draw(20) == 0U ? 7U : 5U)]) + 1U;
  /* One core looks at the timer often enough. */
  while (left > (1U << 28)) {
    fake_now += 1U << 28;
    left -= 1U << 28;
    tband_keep_time();
  }
  fake_now += left;
  tband_keep_time();
}

static uint32_t isrs[2][20];
static uint32_t depths[2];

static void record(void) {
  /* All of them beforehand: arguments are worked out in any order. */
  const uint32_t kind = draw(14);
  const uint32_t id = draw(90);
  const uint32_t first = number();
  const uint32_t second = number();
  const uint32_t third = number();
  const uint32_t fourth = number();
  const int64_t value = signed_number();
  const char *const message = text();
  const bool coin = draw(2) == 0U;
  uint32_t *const depth = &depths[fake_core];
  uint32_t *const open = isrs[fake_core];
  switch (kind) {
    case 0:
      if (*depth < 6U) {
        open[*depth] = (*depth * 100U) + id;
        tband_isr_enter(open[*depth]);
        (*depth)++;
      }
      break;
    case 1:
      if (*depth > 0U) {
        (*depth)--;
        tband_isr_exit(open[*depth]);
      }
      break;
    case 2:
      tband_evtmarker(first, message);
      break;
    case 3:
      tband_evtmarker_begin(1, "");
      break;
    case 4:
      tband_evtmarker_end(1);
      break;
    case 5:
    case 6:
      tband_valmarker(first, value);
      break;
    case 7:
      TBAND_RECORD_U32_U32(QUEUE_SEND, first, second);
      break;
    case 8:
      TBAND_RECORD_U32_U32_U32_U32_U32(TASK_NOTIFY, first, second, id % 5U, third, fourth);
      break;
    case 9:
      TBAND_RECORD_U32_TICKS(CURTASK_BLOCK_ON_QUEUE_RECEIVE, first, coin ? UINT32_MAX : second);
      break;
    case 10:
      if (coin) {
        TBAND_RECORD_NUMBERS(TBAND_EVT_U32_U32_API_RETURN | TBAND_IN_PACKETS(TBAND_LAST_IS_MISSING), 1,
                             first);
      } else {
        TBAND_RECORD_NUMBERS(TBAND_EVT_U32_U32_API_RETURN | TBAND_IN_PACKETS(TBAND_LAST_IS_OPTIONAL), 2,
                             first, second);
      }
      break;
    case 11:
      TBAND_RECORD_NOTHING(LOW_POWER_IDLE_END);
      break;
    case 12:
      TBAND_RECORD_META_U32_STR(QUEUE_NAME, id % 20U, message);
      break;
    default:
      TBAND_RECORD_U32_U32_U32_TICKS(CURTASK_BLOCK_ON_EVENT_GROUP_WAIT, first, second, third,
                                     coin ? UINT32_MAX : fourth);
      break;
  }
}

#if tband_configUSE_RTT
#include "probe.h"
static void read_some(void) { (void)probe_read(1U + draw(700)); }
#elif TBAND_USES_PACKETS && defined(FAKE_HAS_NO_TRANSPORT)
#ifdef CHATTER_READS_BYTES
static void read_some(void) {
  static uint8_t bytes[700];
  const size_t most = 1U + draw(sizeof(bytes));
  fake_print(bytes, tband_stream_read(bytes, most));
}
#else
static void read_some(void) {
  size_t len;
  const uint8_t *const packet = tband_packet_take(&len);
  if (packet != NULL) {
    fake_print(packet, len);
    CHECK(tband_packet_take(&len) == packet); /* until it is given back */
    tband_packet_done();
  }
}
#endif
#endif

#if tband_configUSE_BACKEND_EXTERNAL
bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata) {
  CHECK_EQ(is_metadata, buf[4] == 0xFF);
  return fake_send(buf, len);
}
#endif

int main(int argc, char **argv) {
  CHECK_EQ(argc, 4);
  state = strtoull(argv[1], NULL, 10);
  const uint32_t count = (uint32_t)strtoul(argv[2], NULL, 10);
  const uint32_t haste = (uint32_t)strtoul(argv[3], NULL, 10);
  fake_now = (uint64_t)number() << draw(20);
#if tband_configUSE_BACKEND_POST_MORTEM
  CHECK_EQ(tband_start_post_mortem(), 0);
#elif tband_configUSE_BACKEND_SNAPSHOT
  CHECK_EQ(tband_trigger_snapshot(), 0);
#elif !tband_configUSE_BACKEND_EXTERNAL
  CHECK_EQ(tband_start_streaming(), 0);
#endif
  for (uint32_t at = 0; at < count; at++) {
    let_time_pass();
#if defined(tband_portNUMBER_OF_CORES) && (tband_portNUMBER_OF_CORES > 1)
    fake_core = (draw(10) == 0U) ? 1U - fake_core : fake_core;
#endif
    record();
    const uint32_t turn = draw(100);
    const uint32_t other = draw(50);
    (void)turn;
    (void)other;
    (void)haste;
#if TBAND_USES_PACKETS
    if (other == 0U) {
      tband_flush();
    }
    if (other == 1U) {
      tband_request_metadata();
    }
#ifdef FAKE_HAS_NO_TRANSPORT
    const uint64_t before = state;
    if (turn < haste) {
      read_some();
    }
    state = before;
#endif
#endif
  }
#if tband_configUSE_BACKEND_POST_MORTEM
  CHECK_EQ(tband_freeze(), 0);
#elif tband_configUSE_BACKEND_SNAPSHOT
  (void)tband_stop_snapshot();
#elif tband_configUSE_BACKEND_EXTERNAL
  tband_flush();
#else
  CHECK_EQ(tband_stop_streaming(), 0);
#endif
#if TBAND_USES_PACKETS && defined(FAKE_HAS_NO_TRANSPORT)
#if tband_configUSE_RTT
  do { /* the remaining packets, as the buffer has room for them */
    while (probe_read(UINT32_MAX) != 0U) {
    }
    tband_keep_time();
  } while (probe_read(UINT32_MAX) != 0U);
#elif defined(CHATTER_IS_DUMPED)
  fake_print(tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
#elif defined(CHATTER_READS_BYTES)
  uint8_t byte;
  while (tband_stream_read(&byte, 1) != 0U) {
    fake_print(&byte, 1);
  }
#else
  size_t len;
  const uint8_t *packet;
  while ((packet = tband_packet_take(&len)) != NULL) {
    fake_print(packet, len);
    tband_packet_done();
  }
#endif
#endif
  fake_print_sent();
  fprintf(stderr, "%u\n", (unsigned)tband_get_dropped_evt_cnt());
  return 0;
}
