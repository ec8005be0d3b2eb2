/* What a transport provides to the task that sends. All functions run in that task, except
 * tband_esp_transport_start(). */
#ifndef TBAND_ESP_TRANSPORT_H
#define TBAND_ESP_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

#include "esp_err.h"

/* Installs the driver, in the task that calls tband_esp_start(). */
esp_err_t tband_esp_transport_start(void);
/* Waits until a reader is there. */
void tband_esp_transport_open(void);
/* Sends some of the bytes. Returns how many; 0: none now, try again later; -1: the reader is gone. */
int tband_esp_transport_write(const uint8_t *bytes, size_t len);
/* Ends the connection whose reader is gone. */
void tband_esp_transport_close(void);

#endif /* TBAND_ESP_TRANSPORT_H */
