/* A C program with a part in Rust and the external backend, which nothing starts: its frames go to stdout. */
#include "fake_port.h"
#include "rust_part.h"
#include "tband_config.h"

bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata);
void tband_flush(void);

bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata) {
  (void)is_metadata;
  fake_print(buf, len);
  return false;
}

int main(void) {
  CHECK_EQ(rust_part_external(), 0);
#ifdef PROGRAM_FLUSHES
  tband_flush();
#endif
  return 0;
}
