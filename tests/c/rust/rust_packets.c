/* A C program with a part in Rust that records packets, and writes them to stdout. */
#include "rust_part.h"
#include "tband_config.h"

int main(void) {
#ifdef tband_configUSE_BACKEND_POST_MORTEM
  CHECK_EQ(rust_part_post_mortem(), 0);
#else
  CHECK_EQ(rust_part_packets(), 0);
#endif
  return 0;
}
