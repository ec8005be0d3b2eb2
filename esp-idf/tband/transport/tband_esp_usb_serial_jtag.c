/* Transport: the USB Serial/JTAG port with ESP-IDF's driver. */
#include <stdbool.h> /* the driver's header lacks it */

#include "freertos/FreeRTOS.h"
#include "freertos/task.h"
#include "driver/usb_serial_jtag.h"
#include "tband_esp_transport.h"

enum {
  SEND_BUFFER = 2048,
  RECEIVE_BUFFER = 256, /* the driver wants one */
};

esp_err_t tband_esp_transport_start(void) {
  usb_serial_jtag_driver_config_t config = {.tx_buffer_size = SEND_BUFFER, .rx_buffer_size = RECEIVE_BUFFER};
  return usb_serial_jtag_driver_install(&config);
}

void tband_esp_transport_open(void) {
  while (!usb_serial_jtag_is_connected()) {
    vTaskDelay(pdMS_TO_TICKS(50));
  }
}

int tband_esp_transport_write(const uint8_t *bytes, size_t len) {
  if (!usb_serial_jtag_is_connected()) {
    return -1;
  }
  /* The driver takes all of them or none. */
  const size_t part = (len < SEND_BUFFER / 2) ? len : SEND_BUFFER / 2;
  return usb_serial_jtag_write_bytes(bytes, part, 1);
}

void tband_esp_transport_close(void) {}
