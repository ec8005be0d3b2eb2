/* port/tband_ring.h: whole pieces or none, in order, at each fill and each place, past the wrap of its
 * indices; then one thread that puts and one that takes. */
#include "tband_ring.h"

#include <pthread.h>
#include <sched.h>

#include "check.h"
#include "tband.h"

TBAND_RING(smallest, 1);
TBAND_RING(small, 8);
TBAND_RING(shared, 64);

static uint8_t next_in, next_out;

/* Puts `len` bytes that count up, if there is room. */
static bool put(tband_ring *ring, size_t len) {
  uint8_t data[16];
  for (size_t i = 0; i < len; i++) {
    data[i] = (uint8_t)(next_in + i);
  }
  const bool dropped = tband_ring_put(ring, data, len);
  next_in = (uint8_t)(next_in + (dropped ? 0U : len));
  return dropped;
}

/* Takes up to `most` bytes, which must count on; how many. */
static size_t take(tband_ring *ring, size_t most) {
  const uint8_t *data = NULL;
  size_t len = tband_ring_peek(ring, &data);
  len = (len < most) ? len : most;
  for (size_t i = 0; i < len; i++) {
    CHECK_EQ(data[i], next_out++);
  }
  tband_ring_skip(ring, len);
  return len;
}

/* Every fill of a ring from every place in it, with every length: a model has the expected result. */
static void every_state(tband_ring *ring, uint32_t start) {
  for (uint32_t place = 0; place < ring->size; place++) {
    for (size_t fill = 0; fill <= ring->size; fill++) {
      for (size_t len = 0; len <= ring->size + 1U; len++) {
        ring->written = ring->skipped = start + place;
        next_in = next_out = 0;
        CHECK(!put(ring, fill));
        const size_t room = ring->size - fill;
        CHECK_EQ(put(ring, len), len > room);
        const size_t held = fill + ((len > room) ? 0U : len);
        CHECK_EQ(ring->written - ring->skipped, held);
        size_t taken = 0;
        for (size_t piece = 1; piece != 0; taken += piece) {
          piece = take(ring, 3);
        }
        CHECK_EQ(taken, held);
      }
    }
  }
}

enum { PIECES = 200000 };

static void *writer(void *unused) {
  (void)unused;
  for (unsigned piece = 0; piece < PIECES; piece++) {
    while (put(&shared, 1U + piece % 13U)) {
      (void)sched_yield();
    }
  }
  return NULL;
}

static void threads(void) {
  size_t left = 0;
  for (unsigned piece = 0; piece < PIECES; piece++) {
    left += 1U + piece % 13U;
  }
  shared.written = shared.skipped = UINT32_MAX - 100U;
  next_in = next_out = 0;
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, writer, NULL), 0);
  while (left > 0) {
    const size_t taken = take(&shared, 1U + left % 50U);
    left -= taken;
    if (taken == 0) {
      (void)sched_yield();
    }
  }
  CHECK_EQ(pthread_join(thread, NULL), 0);
  CHECK_EQ(take(&shared, 1), 0);
}

int main(void) {
  tband_ring *const rings[] = {&smallest, &small};
  for (size_t i = 0; i < 2; i++) {
    every_state(rings[i], 0);
    every_state(rings[i], UINT32_MAX - 4U);
  }
  threads();
  return 0;
}
