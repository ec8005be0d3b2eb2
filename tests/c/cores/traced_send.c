/* A function that takes frames and records an event and a name each time. Both are refused and counted,
 * the frame that is being handed out stays as it is, and the function returns. A queue that it deletes
 * leaves the metadata buffers.
 * Writes the stream. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

enum { QUEUES = 30 };

static uint32_t depth;
static bool is_quiet;
static uint32_t deleted; /* queues, by their numbers */

static void trace_something(void) {
  if (is_quiet) {
    return;
  }
  CHECK_EQ(depth++, 0); /* no recursion */
  if (tband_is_recording()) {
    tband_evtmarker(77, "while sending");
  }
  tband_isr_name(78, "while sending");
  TBAND_FORGET(TBAND_ID_BIT(TBAND_EVT_META_U32_STR_QUEUE_NAME) |
                   TBAND_ID_BIT(TBAND_EVT_META_U32_U32_QUEUE_KIND),
               ++deleted);
  depth--;
}

#if tband_configUSE_BACKEND_EXTERNAL
bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata) {
  (void)is_metadata;
  uint8_t before[64];
  CHECK(len <= sizeof(before));
  memcpy(before, buf, len);
  trace_something();
  CHECK(memcmp(before, buf, len) == 0);
  return fake_send(buf, len);
}
#endif

/* Queues are created and named on all cores; the stream takes nothing of them. */
static void create_queues(void) {
  is_quiet = true;
  fake_refuses = true;
  for (uint32_t queue = 1; queue <= QUEUES; queue++) {
    fake_core = queue % (uint32_t)tband_portNUMBER_OF_CORES;
    TBAND_RECORD_NEW_U32_U32(QUEUE_KIND, queue, TBAND_QUEUE_KIND_MUTEX);
    TBAND_RECORD_META_U32_STR(QUEUE_NAME, queue, (queue % 2U == 0U) ? "even" : "q");
  }
  fake_refuses = false;
  is_quiet = false;
}

/* Kind and name of those that are not deleted, and nothing of the others. */
static void check_queues(void) {
  uint32_t entries[QUEUES + 1] = {0};
  for (uint32_t core = 0; core < (uint32_t)tband_portNUMBER_OF_CORES; core++) {
    const volatile uint8_t *const buf = tband_get_metadata_buf(core);
    size_t at = 0;
    while (at < tband_get_metadata_buf_amnt(core)) {
      const uint32_t id = buf[at + 1U];
      if ((buf[at] != 0U) && ((id == TBAND_EVT_META_U32_STR_QUEUE_NAME) ||
                              (id == TBAND_EVT_META_U32_U32_QUEUE_KIND))) {
        CHECK(buf[at + 2U] <= QUEUES);
        entries[buf[at + 2U]]++;
      }
      while (buf[at] != 0U) {
        at++;
      }
      at++;
    }
  }
  CHECK(deleted > 5);
  for (uint32_t queue = 1; queue <= QUEUES; queue++) {
    CHECK_EQ(entries[queue], (queue <= deleted) ? 0U : 2U);
  }
}

int main(void) {
  enum { CORES = tband_portNUMBER_OF_CORES };
  fake_nests = CORES > 1;
  create_queues();
  const uint32_t at_creation = tband_get_dropped_evt_cnt();
  const uint32_t calls_at_creation = fake_calls;
  fake_core = 0;
#if tband_configUSE_BACKEND_STREAMING
  fake_while_sending = &trace_something;
  CHECK_EQ(tband_start_streaming(), 0);
#endif
  const uint32_t at_start = fake_calls;
  for (uint32_t event = 0; event < 6; event++) {
    fake_core = event % CORES;
    fake_now++;
    if (event == 3) {
      tband_isr_name(3, "three");
    } else {
      tband_isr_enter(event);
    }
  }
  /* An event and a name for each frame; only a name for a frame that was sent before the start. */
  CHECK_EQ(tband_get_dropped_evt_cnt() - at_creation,
           (2 * (fake_calls - calls_at_creation)) - (at_start - calls_at_creation));
#if tband_configUSE_BACKEND_STREAMING
  CHECK_EQ(tband_stop_streaming(), 0);
#endif
  uint32_t names = 0;
  for (uint32_t core = 0; core < CORES; core++) {
    names += tband_get_metadata_dropped_cnt(core);
  }
  CHECK_EQ(names, fake_calls - calls_at_creation);
  check_queues();
  fake_print_sent();
  return 0;
}
