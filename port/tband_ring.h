/* A ring of bytes between the recorder and whatever sends the stream: UART, DMA, USB, RTT, a socket.
 *
 * One writer, tband_portBACKEND_STREAM_DATA, which the recorder calls in its critical section (and, with
 * several cores, with its lock held); one reader, which may be a task, the main loop, an interrupt or a
 * DMA's end. Each side moves its own index only, so neither waits for the other. Data go in whole or not
 * at all: a frame is never cut.
 *
 * In tband_port.h:
 *     #include "tband_ring.h"
 *     extern tband_ring my_ring;
 *     #define tband_portBACKEND_STREAM_DATA(buf, len) tband_ring_put(&my_ring, (buf), (len))
 * In one C file:
 *     TBAND_RING(my_ring, 4096);
 * The reader:
 *     const uint8_t *data;
 *     size_t len = tband_ring_peek(&my_ring, &data);   as much as is there in one piece
 *     len = my_uart_send(data, len);                   how much of it was sent
 *     tband_ring_skip(&my_ring, len);
 * Cores that share a ring must see each other's memory alike: no cache between them that does not. */
#ifndef TBAND_RING_H
#define TBAND_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
#define TBAND_RING_INDEX uint32_t
#define TBAND_RING_LOAD(index) __atomic_load_n((index), __ATOMIC_ACQUIRE)
#define TBAND_RING_STORE(index, value) __atomic_store_n((index), (value), __ATOMIC_RELEASE)
#else
#include <stdatomic.h>
#define TBAND_RING_INDEX _Atomic uint32_t
#define TBAND_RING_LOAD(index) atomic_load_explicit((index), memory_order_acquire)
#define TBAND_RING_STORE(index, value) atomic_store_explicit((index), (value), memory_order_release)
#endif

/** A ring. Create it with TBAND_RING; only the functions below access its fields. */
typedef struct tband_ring {
  uint8_t *bytes;
  uint32_t size;            /* a power of two */
  TBAND_RING_INDEX written; /* bytes put and skipped since the start, modulo 2^32 */
  TBAND_RING_INDEX skipped;
} tband_ring;

/** Defines the ring `name` with room for `size` bytes: a power of two, at most 2^31. It has to hold the
 * metadata buffer of a core (tband_configMETADATA_BUF_SIZE, put in one piece when a stream starts), and what
 * is recorded while the reader is away. */
#define TBAND_RING(name, size)                                                      \
  static uint8_t name##_bytes[((size) > 0 && ((size) & ((size)-1)) == 0) ? (size) : -1]; \
  tband_ring name = {name##_bytes, (size), 0, 0}

/** Puts `len` bytes into the ring, or none if not all fit. Returns true if they did not fit: the value that
 * tband_portBACKEND_STREAM_DATA must return. Never waits. Context: the one writer. Takes the time to copy
 * `len` bytes. */
static inline bool tband_ring_put(tband_ring *ring, const uint8_t *data, size_t len) {
  const uint32_t start = ring->written;
  if (len > ring->size - (start - TBAND_RING_LOAD(&ring->skipped))) {
    return true;
  }
  const uint32_t at = start & (ring->size - 1U);
  const size_t to_end = ring->size - at;
  const size_t first = (len < to_end) ? len : to_end;
  memcpy(&ring->bytes[at], data, first);
  memcpy(ring->bytes, data + first, len - first);
  TBAND_RING_STORE(&ring->written, start + (uint32_t)len);
  return false;
}

/** Points `data` to the oldest bytes and returns how many of them are contiguous; 0 if the ring is empty.
 * They stay until they are skipped, so a DMA may send them from there. Context: the one reader. */
static inline size_t tband_ring_peek(tband_ring *ring, const uint8_t **data) {
  const uint32_t start = ring->skipped;
  const uint32_t used = TBAND_RING_LOAD(&ring->written) - start;
  const uint32_t at = start & (ring->size - 1U);
  const uint32_t to_end = ring->size - at;
  *data = &ring->bytes[at];
  return (used < to_end) ? used : to_end;
}

/** Releases the oldest `len` bytes, at most as many as tband_ring_peek found. Context: the one reader. */
static inline void tband_ring_skip(tband_ring *ring, size_t len) {
  TBAND_RING_STORE(&ring->skipped, ring->skipped + (uint32_t)len);
}

#endif /* TBAND_RING_H */
