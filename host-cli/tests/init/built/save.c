/* Saves the recording by the emulator, which takes the debugger's place. Nothing else in the project knows tband. */
#include "FreeRTOS.h"

#include "semihost.h"

void save(void);

void save(void) {
#if defined(tband_configENABLE)
  (void)tband_stop_snapshot();
  const int file = semihost_create("trace.bin");
  (void)semihost_write(file, tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
  (void)semihost_close(file);
#endif
}
