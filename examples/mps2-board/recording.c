/*
 * Start, stop and save a recording; the ring buffer between recorder and UART.
 * See recording.h.
 *
 * The ring has one writer, the recorder in its critical section, and one reader,
 * which may be interrupted at any time. Each side moves its own index only.
 */
#include "recording.h"

#include <stdatomic.h>
#include <string.h>

#include "board.h"
#include "semihost.h"
#include "tband.h"

#if tband_configUSE_BACKEND_STREAMING

const char recording_backend[] = "streaming";

/* Bytes, a power of two; has to hold the metadata buffer and what is recorded between two polls. */
enum { RING_SIZE = 32768 };

static uint8_t ring[RING_SIZE];
static atomic_uint written, sent; /* run on; modulo RING_SIZE they are indices */

bool recording_uart_send(const uint8_t *data, size_t len) {
  const unsigned start = atomic_load_explicit(&written, memory_order_relaxed);
  const unsigned used = start - atomic_load_explicit(&sent, memory_order_acquire);
  if (len > RING_SIZE - used) {
    return true;
  }
  const size_t at = start % RING_SIZE;
  const size_t first = (len <= RING_SIZE - at) ? len : RING_SIZE - at;
  memcpy(&ring[at], data, first);
  memcpy(ring, data + first, len - first);
  atomic_store_explicit(&written, start + (unsigned)len, memory_order_release);
  return false;
}

void recording_uart_poll(void) {
  unsigned at = atomic_load_explicit(&sent, memory_order_relaxed);
  while (at != atomic_load_explicit(&written, memory_order_acquire) &&
         board_uart_put(ring[at % RING_SIZE])) {
    at++;
    atomic_store_explicit(&sent, at, memory_order_release);
  }
}

bool recording_start(void) {
  board_uart_start();
  tband_gather_system_metadata();
  return tband_start_streaming() == 0;
}

bool recording_stop(void) { return tband_stop_streaming() == 0; }

bool recording_save(void) {
  while (atomic_load(&sent) != atomic_load(&written)) {
    recording_uart_poll();
  }
  return true;
}

#else

const char recording_backend[] = "snapshot";

void recording_uart_poll(void) {}

bool recording_start(void) {
  tband_gather_system_metadata();
  return tband_trigger_snapshot() == 0;
}

bool recording_stop(void) { return tband_stop_snapshot() == 0; }

/* The metadata comes first: a reader needs the names before the events. */
bool recording_save(void) {
  const int file = semihost_create("trace.bin");
  return file >= 0 &&
         semihost_write(file, tband_get_metadata_buf(0), tband_get_metadata_buf_amnt(0)) &&
         semihost_write(file, tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0)) &&
         semihost_close(file);
}

#endif

uint32_t recording_losses(void) {
  return tband_get_dropped_evt_cnt() + tband_get_metadata_dropped_cnt(0);
}
