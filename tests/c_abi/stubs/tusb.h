/* TinyUSB's functions that the guide's block and the sender call. */
#include <stdbool.h>
#include <stdint.h>
void tud_task(void);
bool tud_cdc_n_connected(uint8_t itf);
uint32_t tud_cdc_n_write_available(uint8_t itf);
uint32_t tud_cdc_n_write(uint8_t itf, const void *data, uint32_t len);
uint32_t tud_cdc_n_write_flush(uint8_t itf);
bool tud_cdc_n_write_clear(uint8_t itf);
