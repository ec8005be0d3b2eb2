/* See recording.h. */
#include "recording.h"

#include "FreeRTOS.h"
#include "pico/stdlib.h"
#include "task.h"
#include "tband.h"

#if tband_configUSE_BACKEND_STREAMING

/* One reader takes the packets of both cores and writes them unchanged to the SDK's USB port: putchar_raw() does not
 * convert a byte 10 into "\r\n". */
static void sends(void *unused) {
  (void)unused;
  static uint8_t bytes[256];
  for (;;) {
    const size_t len = tband_stream_read(bytes, sizeof bytes);
    for (size_t at = 0; at < len; at++) {
      (void)putchar_raw(bytes[at]);
    }
    if (len == 0) {
      vTaskDelay(pdMS_TO_TICKS(10));
    }
  }
}

void recording_start(void) {
  /* The lowest priority, so that the recording does not consist of the sending itself. */
  configASSERT(xTaskCreate(sends, "sender", 512, NULL, 1, NULL) == pdPASS);
  configASSERT(tband_start_streaming() == 0);
}

#else

/* Each core overwrites its oldest packets until a debug probe halts them, or until tband_freeze() is called. */
void recording_start(void) { configASSERT(tband_start_post_mortem() == 0); }

#endif
