/* A C program with a part in Rust that streams. Writes what the transport took. */
#include "rust_part.h"

int main(void) {
  CHECK_EQ(rust_part_streaming(), 0);
  CHECK(fake_refused >= 2); /* an event, and the metadata of the last start */
  fake_print_sent();
  return 0;
}
