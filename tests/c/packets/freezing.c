/* tband_freeze_after(): how many packets there are after it, whether one was open or not, and whether the ring was
 * full. */
#include <string.h>

#include "check.h"
#include "fake_port.h"
#include "tband.h"

static int64_t next;

static void record(void) {
  fake_now += 10;
  tband_valmarker(1, next);
  next++;
}

/* Packets that can be taken. */
static unsigned packets(void) {
  unsigned count = 0;
  size_t len;
  const uint8_t *packet;
  while ((packet = tband_packet_take(&len)) != NULL) {
    CHECK(len > 36U);
    if (packet[4] != 255U) { /* the stream of metadata */
      count++;
    }
    tband_packet_done();
  }
  return count;
}

/* Reads all there is, as the guide does, and returns its length. */
static size_t read_all(uint8_t *to, size_t room, size_t step) {
  size_t len = 0;
  if (tband_post_mortem_available()) {
    for (size_t read; (read = tband_stream_read(&to[len], (room - len < step) ? (room - len) : step)) != 0U;) {
      len += read;
    }
  }
  return len;
}

/* Each reading gives the same bytes, and the amount is that of a reading that has not begun. */
static void read_again(void) {
  static uint8_t first[65536], again[65536];
  CHECK(tband_post_mortem_available());
  const size_t amount = tband_post_mortem_amount();
  const size_t len = read_all(first, sizeof first, 61);
  CHECK(len > amount && amount > 36U);
  for (size_t step = 1; step < 5000U; step = (step * 3U) + 1U) {
    CHECK_EQ(tband_post_mortem_amount(), 0);
    CHECK_EQ(read_all(again, sizeof again, step), len);
    CHECK_EQ(memcmp(first, again, len), 0);
  }
  /* A loop that calls tband_post_mortem_available() before each packet ends; a loop that was left half way can be
   * continued. */
  unsigned count = 0;
  size_t packet_len;
  while (tband_post_mortem_available()) {
    CHECK(tband_packet_take(&packet_len) != NULL);
    tband_packet_done();
    count++;
  }
  CHECK(count > 0U);
  CHECK(tband_post_mortem_available());
  CHECK_EQ(tband_post_mortem_amount(), amount);
  CHECK(tband_stream_read(again, 3) == 3);
  CHECK_EQ(read_all(&again[3], sizeof again - 3U, 100), len - 3U);
  CHECK_EQ(memcmp(first, again, len), 0);
}

/* Records that many events. Returns 1 if recording is off then, else stops it. */
static unsigned is_off_after(unsigned events) {
  while (events > 0U) {
    record();
    events--;
  }
  return (tband_freeze() == 0) ? 0U : 1U;
}

int main(void) {
  CHECK_EQ(tband_freeze_after(3), -1); /* recording is off */
  CHECK(!tband_post_mortem_available());
  CHECK_EQ(tband_post_mortem_amount(), 0);
  CHECK_EQ(tband_clear_post_mortem(), 0);

  /* Nothing was open: one packet is opened, and filled. */
  CHECK_EQ(tband_start_post_mortem(), 0);
  CHECK(!tband_post_mortem_available());
  CHECK_EQ(tband_start_post_mortem(), -1);
  CHECK_EQ(tband_clear_post_mortem(), -1);
  CHECK_EQ(tband_freeze_after(1), 0);
  CHECK_EQ(is_off_after(1000), 1);
  CHECK(tband_post_mortem_available());
  CHECK(tband_post_mortem_amount() > 36U);
  CHECK_EQ(packets(), 1);
  read_again();

  /* One was open, and closed early; then two more. */
  CHECK_EQ(tband_start_post_mortem(), 0);
  record();
  tband_flush();
  CHECK_EQ(tband_freeze_after(1), 0);
  CHECK_EQ(is_off_after(1000), 1);
  CHECK_EQ(packets(), 2);

  /* The one that is open counts. After the trigger the ring is not filled once more. */
  CHECK_EQ(tband_start_post_mortem(), 0);
  for (unsigned events = 0; events < 3000; events++) {
    record();
  }
  CHECK_EQ(tband_freeze_after(1), 0);
  CHECK_EQ(is_off_after(1000), 1);
  CHECK_EQ(packets(), tband_configPACKET_COUNT);
  read_again();
  CHECK_EQ(tband_clear_post_mortem(), 0);
  CHECK(!tband_post_mortem_available());
  CHECK(!tband_post_mortem_available());

  /* A freeze at once; a recording can be cleared while it is half read. */
  CHECK_EQ(tband_start_post_mortem(), 0);
  for (unsigned events = 0; events < 300; events++) {
    record();
  }
  CHECK_EQ(tband_freeze_after(0), 0);
  CHECK_EQ(tband_freeze(), -1);
  size_t len;
  CHECK(tband_packet_take(&len) != NULL);
  CHECK_EQ(tband_clear_post_mortem(), 0);
  CHECK_EQ(packets(), 0); /* the rest of the metadata may still come */
  tband_packet_done();
  CHECK_EQ(tband_start_post_mortem(), 0);
  record();
  CHECK_EQ(tband_freeze(), 0);
  CHECK_EQ(packets(), 1);

  /* More than can be counted is as many as can be. */
  CHECK_EQ(tband_start_post_mortem(), 0);
  CHECK_EQ(tband_freeze_after(0x7FFFU + 1U), 0);
  CHECK_EQ(is_off_after(100000), 0);
  return 0;
}
