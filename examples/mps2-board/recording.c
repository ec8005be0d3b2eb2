/*
 * Starts, stops and saves a recording. Packets are sent to the UART directly, frames through a
 * separate ring. See recording.h.
 */
#include "recording.h"

#include "board.h"
#include "semihost.h"
#include "tband.h"

#if tband_configUSE_BACKEND_STREAMING

const char recording_backend[] = "streaming";

#if TBAND_USES_PACKETS

/* The packet stays in place until the UART has taken all of it. */
void recording_uart_poll(void) {
  static size_t sent;
  size_t len;
  const uint8_t *const packet = tband_packet_take(&len);
  if (packet == NULL) {
    return;
  }
  while (sent < len && board_uart_put(packet[sent])) {
    sent++;
  }
  if (sent == len) {
    sent = 0;
    tband_packet_done();
  }
}

static bool is_all_sent(void) {
  size_t len;
  return tband_packet_take(&len) == NULL;
}

#else

/* Must hold the metadata buffer and the events recorded between two polls. */
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

static bool is_all_sent(void) {
  const uint8_t *data;
  return tband_ring_peek(&recording_ring, &data) == 0;
}

#endif

bool recording_start(void) {
  board_uart_start();
  return tband_start_streaming() == 0;
}

bool recording_stop(void) { return tband_stop_streaming() == 0; }

bool recording_save(void) {
  while (!is_all_sent()) {
    recording_uart_poll();
  }
  return true;
}

#else

void recording_uart_poll(void) {}

#if tband_configUSE_BACKEND_SNAPSHOT
const char recording_backend[] = "snapshot";

bool recording_start(void) { return tband_trigger_snapshot() == 0; }

bool recording_stop(void) { return tband_stop_snapshot() == 0; }
#else
const char recording_backend[] = "post-mortem";

bool recording_start(void) { return tband_start_post_mortem() == 0; }

bool recording_stop(void) { return tband_freeze() == 0; }
#endif

#if TBAND_USES_PACKETS
/* Packets include the metadata. */
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
