/* Transport: TCP. The chip listens on CONFIG_TBAND_TCP_PORT, and serves one reader at a time. */
#include <errno.h>
#include <string.h>

#include "freertos/FreeRTOS.h"
#include "freertos/task.h"
#include "lwip/sockets.h"
#include "sdkconfig.h"
#include "tband_esp_transport.h"

static int listener = -1;
static int reader = -1;

/* The network's stack may start later than the recording: the socket is opened by the task. */
esp_err_t tband_esp_transport_start(void) { return ESP_OK; }

static int open_listener(void) {
  struct sockaddr_in address;
  const int socket_number = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
  if (socket_number < 0) {
    return -1;
  }
  const int yes = 1;
  (void)setsockopt(socket_number, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(CONFIG_TBAND_TCP_PORT);
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  if ((bind(socket_number, (struct sockaddr *)&address, sizeof address) != 0) || (listen(socket_number, 1) != 0)) {
    (void)close(socket_number);
    return -1;
  }
  return socket_number;
}

void tband_esp_transport_open(void) {
  for (;;) {
    if (listener < 0) {
      listener = open_listener();
    }
    reader = (listener < 0) ? -1 : accept(listener, NULL, NULL);
    if (reader >= 0) {
      return;
    }
    if (listener >= 0) {
      (void)close(listener);
      listener = -1;
    }
    vTaskDelay(pdMS_TO_TICKS(500));
  }
}

int tband_esp_transport_write(const uint8_t *bytes, size_t len) {
  const int sent = (int)send(reader, bytes, len, 0);
  if ((sent < 0) && ((errno == EAGAIN) || (errno == ENOMEM) || (errno == ENOBUFS) || (errno == EINTR))) {
    return 0;
  }
  return (sent == 0) ? -1 : sent;
}

void tband_esp_transport_close(void) {
  (void)close(reader);
  reader = -1;
}
