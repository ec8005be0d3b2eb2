/* See recording.h. */
#include "recording.h"

#include "app.h"
#include "log.h"
#include "semihost.h"
#include "tband.h"
#include "tband_ring.h"

static int file;

static void write_bytes(int to, const volatile void *data, size_t len) {
  configASSERT(to >= 0 && semihost_write(to, data, len));
}

#if TBAND_USES_PACKETS
/* Packets of all cores, for any backend: this is the one reader. */
static bool send_some(void) {
  static uint8_t buf[16384];
  const size_t len = tband_stream_read(buf, sizeof buf);
  if (len > 0) {
    write_bytes(file, buf, len);
  }
  return len > 0;
}
#elif tband_configUSE_BACKEND_STREAMING
/* Must hold the metadata buffers, and the events recorded while the sending task is not running. */
TBAND_RING(recording_ring, 2 * 1024 * 1024);

static bool send_some(void) {
  const uint8_t *data;
  const size_t len = tband_ring_peek(&recording_ring, &data);
  if (len > 0) {
    write_bytes(file, data, len);
    tband_ring_skip(&recording_ring, len);
  }
  return len > 0;
}
#endif

/* On the core that was full first, in the recorder's critical section. */
void recording_is_full(void) { log_append(LOG_FULL, 0, 0); }

static int start(void) {
#if tband_configUSE_BACKEND_STREAMING
  return tband_start_streaming();
#elif tband_configUSE_BACKEND_SNAPSHOT
  return tband_trigger_snapshot();
#else
  return tband_start_post_mortem();
#endif
}

void recording_start(void) {
  if (file == 0) {
    file = semihost_create("trace.bin");
  }
  configASSERT(start() == 0);
  const UBaseType_t before = portSET_INTERRUPT_MASK();
  log_append(LOG_STARTED, 0, 0);
  portCLEAR_INTERRUPT_MASK(before);
}

bool recording_stop(void) {
  const UBaseType_t before = portSET_INTERRUPT_MASK();
  log_append(LOG_STOPS, 0, 0);
  portCLEAR_INTERRUPT_MASK(before);
#if tband_configUSE_BACKEND_STREAMING
  const int result = tband_stop_streaming();
#elif tband_configUSE_BACKEND_SNAPSHOT
  const int result = tband_stop_snapshot();
#else
  const int result = tband_freeze();
#endif
  while (!tband_tracing_finished()) {
  }
  return result == 0;
}

#if tband_configUSE_BACKEND_STREAMING

void recording_send(void) {
  while (send_some()) {
  }
}

void recording_save(void) { recording_send(); }

#elif TBAND_USES_PACKETS

void recording_send(void) {}

void recording_save(void) {
  while (send_some()) {
  }
}

#else

void recording_send(void) {}

/* Each core's metadata and memory, which `tband-cli conv core0.bin@0 core1.bin@1` takes. */
void recording_save(void) {
  for (unsigned core = 0; core < CORES; core++) {
    char name[] = "core0.bin";
    name[4] = (char)('0' + core);
    const int to = semihost_create(name);
    write_bytes(to, tband_get_metadata_buf(core), tband_get_metadata_buf_amnt(core));
    write_bytes(to, tband_get_core_snapshot_buf(core), tband_get_core_snapshot_buf_amnt(core));
    configASSERT(semihost_close(to));
  }
}

#endif
