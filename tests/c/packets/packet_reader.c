/* A consumer that makes wrong calls, or calls at unusual moments; prints the bytes that can be read. The first argument
 * selects the case. */
#define _DEFAULT_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "fake_port.h"
#include "tband.h"

static int64_t next;

static void record(unsigned events) {
  while (events > 0U) {
    fake_now += 10;
    tband_valmarker(1, next);
    next++;
    events--;
  }
}

#if tband_configUSE_BACKEND_SNAPSHOT

/* The memory of a snapshot that follows another one, which was reset, and of which some was taken. */
static void again(bool takes) {
  CHECK_EQ(tband_trigger_snapshot(), 0);
  record(100);
  CHECK_EQ(tband_stop_snapshot(), 0);
  if (takes) {
    size_t len;
    CHECK(tband_packet_take(&len) != NULL);
    tband_packet_done();
    CHECK(tband_packet_take(&len) != NULL);
  }
  CHECK_EQ(tband_reset_snapshot(), 0);
  CHECK_EQ(tband_get_core_snapshot_buf_amnt(0), 0);
  CHECK_EQ(tband_trigger_snapshot(), 0);
  record(50);
  CHECK_EQ(tband_stop_snapshot(), 0);
  fake_print(tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  again(strcmp(argv[1], "taken") == 0);
  return 0;
}

#else

static void start(void) {
#if tband_configUSE_BACKEND_POST_MORTEM
  CHECK_EQ(tband_start_post_mortem(), 0);
#else
  CHECK_EQ(tband_start_streaming(), 0);
#endif
}

static void stop(void) {
#if tband_configUSE_BACKEND_POST_MORTEM
  CHECK_EQ(tband_freeze(), 0);
#else
  CHECK_EQ(tband_stop_streaming(), 0);
#endif
}

static void print_all(size_t at_once) {
  uint8_t bytes[512];
  size_t len;
  while ((len = tband_stream_read(bytes, at_once)) != 0U) {
    fake_print(bytes, len);
  }
}

/* Some of a packet is read, and then another recording begins. */
static void leave_half_read(void) {
  uint8_t bytes[10];
  start();
  record(1000);
  stop();
  CHECK_EQ(tband_stream_read(bytes, sizeof(bytes)), sizeof(bytes));
  start();
  record(1000);
  stop();
#if !tband_configUSE_BACKEND_POST_MORTEM
  fake_print(bytes, sizeof(bytes));
#endif
  print_all(64);
}

/* Takes twice, gives back twice, and without having taken. */
static void misuse(void) {
  size_t len;
  size_t again_len;
  CHECK(tband_packet_take(&len) == NULL);
  CHECK_EQ(len, 0);
  tband_packet_done();
  tband_flush();
  tband_keep_time();
  tband_request_metadata();
  CHECK_EQ(tband_stream_read(NULL, 0), 0);
  start();
  tband_packet_done();
  for (unsigned round = 0; round < 500; round++) {
    record(round % 7U);
    if (round % 11U == 0U) {
      tband_flush();
      tband_flush();
    }
    const uint8_t *packet = tband_packet_take(&len);
    if (packet != NULL) {
      record(round % 3U);
      if (round % 5U == 0U) {
        tband_request_metadata();
      }
      CHECK(tband_packet_take(&again_len) == packet);
      CHECK_EQ(again_len, len);
      fake_print(packet, len);
      tband_packet_done();
      tband_packet_done();
    }
  }
  stop();
  tband_packet_done();
  print_all(1);
  CHECK(tband_packet_take(&len) == NULL);
}

/* Records 100 events into a ring without a reader, up to the end of the recording or nearly so. */
static void fill(const char *end) {
  start();
  while (next < 100) {
    record(1);
  }
  CHECK_EQ(fake_now, 1000);
  if (strcmp(end, "and on") == 0) {
    uint8_t bytes[512];
    fake_print(bytes, tband_stream_read(bytes, sizeof(bytes)));
    record(1);
    tband_flush();
  }
  stop();
  fake_now += (strcmp(end, "late") == 0) ? (3U << 30) : 77U;
  print_all(100);
}

#if tband_configUSE_BACKEND_POST_MORTEM
/* As a fault handler that sends what there is; it came from inside of an event. */
static void in_fault(int signal) {
  CHECK_EQ(signal, SIGSEGV);
  CHECK_EQ(tband_freeze(), 0);
  tband_valmarker(1, next); /* nothing is recorded any more */
  CHECK(tband_post_mortem_available());
  print_all(64);
  exit(0);
}

/* A marker whose text ends, without a NUL, where memory does. */
static void fault(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *const text = mmap(NULL, 2U * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(text != MAP_FAILED);
  CHECK_EQ(mprotect(&text[page], page, PROT_NONE), 0);
  memset(text, 'x', page);
  const struct sigaction action = {.sa_handler = in_fault};
  CHECK_EQ(sigaction(SIGSEGV, &action, NULL), 0);
  fake_nests = true;
  start();
  record(1000);
  tband_evtmarker(1, &text[page - 12U]);
  CHECK(false);
}
#endif

/* Two recordings of all cores, with values from 0 and from 100 on. They are read when both are there, but for some
 * bytes that are read of the first one. */
static void start_again(size_t read) {
  uint8_t bytes[512];
#if defined(tband_portNUMBER_OF_CORES)
  const uint32_t cores = tband_portNUMBER_OF_CORES;
#else
  const uint32_t cores = 1;
#endif
  for (next = 0; next <= 100; next += 60) {
    fake_core = 0;
    start();
    for (unsigned event = 0; event < 40U; event++) {
      fake_core = ((event / 3U) + 1U) % cores;
      record(1);
    }
    stop();
    fake_now += 1000;
    fake_print(bytes, tband_stream_read(bytes, (next < 100) ? read : 0U));
  }
  print_all(100);
}

int main(int argc, char **argv) {
#if tband_configUSE_BACKEND_POST_MORTEM
  if (strcmp(argv[1], "fault") == 0) {
    fault();
  }
#endif
  if (strcmp(argv[1], "starts") == 0) {
    CHECK_EQ(argc, 3);
    start_again((size_t)atoi(argv[2]));
    return 0;
  }
  if (strcmp(argv[1], "full") == 0) {
    CHECK_EQ(argc, 3);
    fill(argv[2]);
    return 0;
  }
  CHECK_EQ(argc, 2);
  if (strcmp(argv[1], "half read") == 0) {
    leave_half_read();
  } else {
    misuse();
  }
  return 0;
}

#endif
