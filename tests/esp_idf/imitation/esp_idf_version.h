/* See FreeRTOS.h. */
#ifndef ESP_IDF_VERSION_H
#define ESP_IDF_VERSION_H
#define ESP_IDF_VERSION_VAL(major, minor, patch) (((major) << 16) | ((minor) << 8) | (patch))
#define ESP_IDF_VERSION \
  ESP_IDF_VERSION_VAL(IMITATION_IDF / 10000, (IMITATION_IDF / 100) % 100, IMITATION_IDF % 100)
#endif
