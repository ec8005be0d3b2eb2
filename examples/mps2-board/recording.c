/*
 * Start, stop and save a recording; from the ring between recorder and UART to the UART.
 * See recording.h.
 */
#include "recording.h"

#include "board.h"
#include "semihost.h"
#include "tband.h"

#if tband_configUSE_BACKEND_STREAMING

const char recording_backend[] = "streaming";

/* Has to hold the metadata buffer and what is recorded between two polls. */
TBAND_RING(recording_ring, 32768);

void recording_uart_poll(void) {
  const uint8_t *data;
  size_t sent = 0;
  const size_t len = tband_ring_peek(&recording_ring, &data);
  while (sent < len && board_uart_put(data[sent])) {
    sent++;
  }
  tband_ring_skip(&recording_ring, sent);
}

bool recording_start(void) {
  board_uart_start();
  tband_gather_system_metadata();
  return tband_start_streaming() == 0;
}

bool recording_stop(void) { return tband_stop_streaming() == 0; }

bool recording_save(void) {
  const uint8_t *data;
  while (tband_ring_peek(&recording_ring, &data) > 0) {
    recording_uart_poll();
  }
  return true;
}

#else

void recording_uart_poll(void) {}

#if tband_configUSE_BACKEND_SNAPSHOT
const char recording_backend[] = "snapshot";

bool recording_start(void) {
  tband_gather_system_metadata();
  return tband_trigger_snapshot() == 0;
}

bool recording_stop(void) { return tband_stop_snapshot() == 0; }
#else
const char recording_backend[] = "post-mortem";

bool recording_start(void) { return tband_start_post_mortem() == 0; }

bool recording_stop(void) { return tband_freeze() == 0; }
#endif

#if TBAND_USES_PACKETS
/* Metadata comes out with the packets. */
static bool write_all(int file) {
  static uint8_t buf[1024];
  size_t len;
  while ((len = tband_stream_read(buf, sizeof buf)) > 0) {
    if (!semihost_write(file, buf, len)) {
      return false;
    }
  }
  return true;
}
#else
/* The metadata comes first: a reader needs the names before the events. */
static bool write_all(int file) {
  return semihost_write(file, tband_get_metadata_buf(0), tband_get_metadata_buf_amnt(0)) &&
         semihost_write(file, tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
}
#endif

bool recording_save(void) {
  const int file = semihost_create("trace.bin");
  return file >= 0 && write_all(file) && semihost_close(file);
}

#endif

uint32_t recording_losses(void) {
  return tband_get_dropped_evt_cnt() + tband_get_metadata_dropped_cnt(0);
}
