/* tband in ESP-IDF: starts the recording, and a task that sends it. */
#ifndef TBAND_ESP_H
#define TBAND_ESP_H

#include "esp_err.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Starts the recording, and with a transport the task that sends its packets. Call it once, as the first line of
 * app_main(); tasks that exist already are recorded with their names. Returns ESP_OK; ESP_ERR_INVALID_STATE if the
 * recording or the transport runs already; ESP_ERR_NO_MEM without memory for the task (then nothing is recorded); or
 * the error of the transport's driver. */
esp_err_t tband_esp_start(void);

#ifdef __cplusplus
}
#endif

#endif /* TBAND_ESP_H */
