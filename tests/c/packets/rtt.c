/* A recording over RTT. The first argument selects the case: the start, a probe that stalls, or one that writes
 * garbage. */
#include "tband.h"

#if !tband_configRTT_SHARE
#include "probe.h"
#else
#include "check.h"
#include "fake_port.h"
#endif

static uint32_t recorded;

static void record(uint32_t count) {
  for (uint32_t at = 0; at < count; at++) {
    fake_now += 10;
    tband_valmarker(1, recorded);
    recorded++;
  }
}

static void tick(void) {
  fake_now += 1000;
  tband_keep_time();
}

#if tband_configRTT_SHARE

/* The control block of other code, with a terminal. */
struct tband_rtt_block {
  tband_rtt_buffer *unused;
};
struct {
  char id[16];
  int32_t up_count;
  int32_t down_count;
  tband_rtt_buffer buffers[5];
} _SEGGER_RTT;

int main(void) {
  /* Not set up: it has no buffers. */
  tband_keep_time();
  CHECK_EQ(tband_start_streaming(), -2);
  tick();
  record(10);
  CHECK(_SEGGER_RTT.buffers[1].memory == NULL);
  memcpy(_SEGGER_RTT.id, "SEGGER RTT", 10);
  _SEGGER_RTT.up_count = 1; /* too few */
  CHECK_EQ(tband_start_streaming(), -2);
  _SEGGER_RTT.up_count = 3;
  _SEGGER_RTT.buffers[0].name = "Terminal";
  CHECK_EQ(tband_start_streaming(), 0);
  recorded = 0;
  record(10);
  tband_flush();
  CHECK(strcmp(_SEGGER_RTT.buffers[0].name, "Terminal") == 0);
  CHECK_EQ(_SEGGER_RTT.buffers[0].size, 0);
  CHECK(strcmp(_SEGGER_RTT.buffers[1].name, "tband") == 0);
  CHECK_EQ(_SEGGER_RTT.buffers[2].size, 0);
  CHECK_EQ(_SEGGER_RTT.up_count, 3);
  fake_print(_SEGGER_RTT.buffers[1].memory, _SEGGER_RTT.buffers[1].write);
  return 0;
}

#else

static void read_all(void) {
  while (probe_read(UINT32_MAX) != 0U) {
  }
}

static void drain(void) {
  do {
    read_all();
    tick();
  } while (probe_read(UINT32_MAX) != 0U);
}

#if tband_configSTART_ON_READER
static void starts_when_it_is_read(void) {
  record(100);
  CHECK(!probe_finds());
  CHECK_EQ(tband_start_streaming(), 0);
  CHECK(probe_finds());
  CHECK_EQ(tband_start_streaming(), -1);
  for (uint32_t at = 0; at < 50U; at++) {
    tick();
    record(100);
  }
  CHECK_EQ(tband_get_dropped_evt_cnt(), 0);
  CHECK_EQ(tband_stop_streaming(), 0); /* it waits no more */
  CHECK_EQ(tband_stop_streaming(), -1);
  read_all();
  tick();
  record(100);
  CHECK_EQ(tband_start_streaming(), 0);
  tick();
  record(100);
  CHECK(probe_read(7) != 0U); /* not all of it yet */
  tick();
  record(100);
  read_all();
  record(100); /* no tick since */
  recorded = 0;
  tick();
  record(20);
  CHECK_EQ(tband_stop_streaming(), 0);
  drain();
}
#endif

#if !tband_configSTART_ON_READER
static uint32_t any(void) {
  static uint32_t state = 1;
  state = (state * 1664525U) + 1013904223U;
  return state >> 8;
}
#endif

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  const char *const what = argv[1];
  tick(); /* before any start */
#if tband_configSTART_ON_READER
  CHECK(strcmp(what, "waits") == 0);
  starts_when_it_is_read();
#else
  CHECK(!probe_finds());
  CHECK_EQ(tband_start_streaming(), 0);
  CHECK_EQ(tband_start_streaming(), -1);
  size_t len;
  CHECK(tband_packet_take(&len) == NULL);
  struct probe_buffer *const up = &probe_block()->buffers[0];
  if (strcmp(what, "stalls") == 0) {
    for (uint32_t turn = 0; turn < 5U; turn++) {
      record(3000);
      const uint32_t read = up->read;
      CHECK(up->write != read); /* full is not empty */
#if !tband_configUSE_SHEDDING /* which leaves room */
      CHECK((up->write + tband_configPACKET_SIZE - read) % up->size == 0U);
#endif
      read_all();
      record(5);
      tband_flush();
      drain();
    }
    record(3000); /* and is stopped while it is full */
    CHECK_EQ(tband_stop_streaming(), 0);
    drain();
  } else if (strcmp(what, "garbage") == 0) {
    for (uint32_t turn = 0; turn < 20000U; turn++) {
      const uint32_t kind = any() % 4U;
      up->read = (kind == 0U)   ? any() % up->size
                 : (kind == 1U) ? up->size + any() % 3U
                 : (kind == 2U) ? any() << 8
                                : (any() % (tband_configPACKET_COUNT)) * tband_configPACKET_SIZE;
      record(any() % 50U);
      if (any() % 3U == 0U) {
        tick();
      }
      CHECK(up->write < up->size && up->write % tband_configPACKET_SIZE == 0U);
    }
    /* The probe writes valid offsets again. */
    up->read = up->write;
    for (uint32_t turn = 0; turn < 10U; turn++) {
      tick();
      up->read = up->write;
    }
    recorded = 0;
    record(20);
    CHECK_EQ(tband_stop_streaming(), 0);
    drain();
  } else {
    CHECK(strcmp(what, "again") == 0);
    for (uint32_t turn = 0; turn < 3U; turn++) {
      record(20);
      CHECK_EQ(tband_stop_streaming(), 0);
      CHECK_EQ(tband_stop_streaming(), -1);
      record(20); /* not recorded */
      recorded -= 20U;
      if (turn == 1U) {
        drain();
      }
      CHECK_EQ(tband_start_streaming(), 0);
      tick();
    }
    CHECK_EQ(tband_stop_streaming(), 0);
    drain();
  }
#endif
  fprintf(stderr, "%u of %u discarded\n", (unsigned)tband_get_dropped_evt_cnt(), (unsigned)recorded);
  return 0;
}

#endif
