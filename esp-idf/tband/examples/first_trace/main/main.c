/* Two tasks and a queue, recorded: on a chip with two cores, one on each. */
#include "freertos/FreeRTOS.h"
#include "freertos/queue.h"
#include "freertos/task.h"
#include "tband.h"
#include "tband_esp.h"

static QueueHandle_t samples;

static void measure(void *unused) {
  (void)unused;
  for (uint32_t sample = 0;; sample++) {
    (void)xQueueSend(samples, &sample, portMAX_DELAY);
    vTaskDelay(pdMS_TO_TICKS(10));
  }
}

static void process(void *unused) {
  (void)unused;
  for (;;) {
    uint32_t sample;
    if (xQueueReceive(samples, &sample, portMAX_DELAY) == pdPASS) {
      tband_evtmarker_begin(1, "process");
      tband_valmarker(1, (int64_t)sample);
      tband_evtmarker_end(1);
    }
  }
}

void app_main(void) {
  ESP_ERROR_CHECK(tband_esp_start());
  samples = xQueueCreate(8, sizeof(uint32_t));
  configASSERT(samples != NULL);
  vQueueAddToRegistry(samples, "samples");
  (void)xTaskCreatePinnedToCore(measure, "measure", 3072, NULL, 3, NULL, 0);
  (void)xTaskCreatePinnedToCore(process, "process", 3072, NULL, 2, NULL, portNUM_PROCESSORS - 1);
}
