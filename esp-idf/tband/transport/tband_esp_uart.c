/* Transport: a UART with ESP-IDF's driver. */
#include "driver/uart.h"

#include "sdkconfig.h"
#include "tband_esp_transport.h"

/* The driver wants more than the hardware's buffer of 128 bytes, although nothing is received. */
enum { RECEIVE_BUFFER = 256 };

esp_err_t tband_esp_transport_start(void) {
  const uart_config_t config = {
      .baud_rate = CONFIG_TBAND_UART_BAUD,
      .data_bits = UART_DATA_8_BITS,
      .parity = UART_PARITY_DISABLE,
      .stop_bits = UART_STOP_BITS_1,
      .flow_ctrl = UART_HW_FLOWCTRL_DISABLE,
      .source_clk = UART_SCLK_DEFAULT,
  };
  if (uart_is_driver_installed(CONFIG_TBAND_UART_NUM)) {
    return ESP_ERR_INVALID_STATE;
  }
  esp_err_t error = uart_driver_install(CONFIG_TBAND_UART_NUM, RECEIVE_BUFFER, 0, 0, NULL, 0);
  if (error == ESP_OK) {
    error = uart_param_config(CONFIG_TBAND_UART_NUM, &config);
  }
  if (error == ESP_OK) {
    error = uart_set_pin(CONFIG_TBAND_UART_NUM, CONFIG_TBAND_UART_TX_PIN, UART_PIN_NO_CHANGE, UART_PIN_NO_CHANGE,
                         UART_PIN_NO_CHANGE);
  }
  return error;
}

/* A UART does not show whether there is a reader. */
void tband_esp_transport_open(void) {}

/* Without a buffer for sending the driver waits until the bytes are in the hardware's. */
int tband_esp_transport_write(const uint8_t *bytes, size_t len) {
  return uart_write_bytes(CONFIG_TBAND_UART_NUM, bytes, len);
}

void tband_esp_transport_close(void) {}
