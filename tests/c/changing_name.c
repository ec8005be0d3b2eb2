/* Texts that change while they are copied: another thread makes them longer and shorter all the time. What
 * is recorded is one of their states or a mixture, never more than there is room for: the guards behind the
 * recorder's memory are looked at, and the frames are written out for the test to decode. */
#include <pthread.h>
#include <stdatomic.h>

#include "check.h"
#include "fake_port.h"
#include "tband.h"

static char text[32] = "a_name_of_more_than_20_letters";
static atomic_bool done;

static void *change(void *unused) {
  (void)unused;
  volatile char *const place = text;
  for (uint32_t i = 0; !atomic_load(&done); i++) {
    place[i % 24U] = ((i / 24U) % 2U == 0U) ? '\0' : 'x';
  }
  return NULL;
}

#if tband_configUSE_BACKEND_EXTERNAL
bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata) {
  (void)is_metadata;
  return fake_send(buf, len);
}
#endif

int main(void) {
  pthread_t other;
  CHECK_EQ(pthread_create(&other, NULL, change, NULL), 0);
  for (uint32_t round = 0; round < 20000; round++) {
    /* Other objects each time, so that the buffer is full to the last byte, and the same again. */
    tband_isr_name(round % 40U, text);
    CHECK(tband_get_metadata_buf_amnt(0) <= tband_configMETADATA_BUF_SIZE);
#if tband_configUSE_BACKEND_SNAPSHOT
    if (round % 10U == 0U) {
      CHECK_EQ(tband_trigger_snapshot(), 0);
      tband_evtmarker(1, text);
      tband_evtmarker_name(round % 5U, text);
      (void)tband_stop_snapshot();
      CHECK(tband_get_core_snapshot_buf_amnt(0) <= tband_configBACKEND_SNAPSHOT_BUF_SIZE);
      if (round % 1000U == 0U) {
        fake_print(tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
      }
      CHECK_EQ(tband_reset_snapshot(), 0);
    }
#elif tband_configUSE_BACKEND_STREAMING
    if (round % 100U == 0U) {
      CHECK_EQ(tband_start_streaming(), 0);
      tband_evtmarker(1, text);
      tband_evtmarker_name(round % 5U, text);
      CHECK_EQ(tband_stop_streaming(), 0);
    }
#else
    if (round % 100U == 0U) {
      tband_evtmarker(1, text);
    }
#endif
  }
  atomic_store(&done, true);
  CHECK_EQ(pthread_join(other, NULL), 0);
  fake_print(tband_get_metadata_buf(0), tband_get_metadata_buf_amnt(0));
#if !tband_configUSE_BACKEND_SNAPSHOT
  fake_print_sent();
#endif
  return 0;
}
