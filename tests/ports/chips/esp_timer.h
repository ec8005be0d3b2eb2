/* What port/ESP_IDF takes of ESP-IDF. */
#include <stdint.h>

int64_t esp_timer_get_time(void);
