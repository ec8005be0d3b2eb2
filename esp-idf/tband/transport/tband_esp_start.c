/* tband_esp_start(), and the task that sends packets. */
#include "tband_esp.h"

#include "sdkconfig.h"
#include "tband.h"

#if defined(CONFIG_TBAND_TRANSPORT_MEMORY)

esp_err_t tband_esp_start(void) { return (tband_trigger_snapshot() == 0) ? ESP_OK : ESP_ERR_INVALID_STATE; }

#else

#include "freertos/FreeRTOS.h"
#include "freertos/task.h"
#include "senders/tband_send.h"
#include "tband_esp_transport.h"

static void send_packets(void *unused) {
  (void)unused;
  for (;;) {
    tband_esp_transport_open();
    tband_send_begin();
    for (;;) {
      const uint8_t *rest;
      const size_t len = tband_send_rest(&rest);
      const int sent = (len == 0U) ? 0 : tband_esp_transport_write(rest, len);
      if (sent < 0) {
        break;
      }
      if (sent == 0) {
#if !defined(CONFIG_TBAND_FREERTOS)
        tband_keep_time(); /* with the kernel's hooks its tick does this */
#endif
        vTaskDelay(1);
      } else {
        (void)tband_send_took((size_t)sent);
      }
    }
    tband_esp_transport_close();
    vTaskDelay(1);
  }
}

esp_err_t tband_esp_start(void) {
  const esp_err_t error = tband_esp_transport_start();
  if (error != ESP_OK) {
    return error;
  }
  if (tband_start_streaming() != 0) {
    return ESP_ERR_INVALID_STATE;
  }
  const BaseType_t created = xTaskCreate(send_packets, "tband", CONFIG_TBAND_TASK_STACK_SIZE, NULL,
                                         CONFIG_TBAND_TASK_PRIORITY, NULL);
  if (created != pdPASS) {
    (void)tband_stop_streaming(); /* no task would send the recording */
    return ESP_ERR_NO_MEM;
  }
  return ESP_OK;
}

#endif
