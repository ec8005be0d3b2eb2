/* A C program with a part in Rust that waits for what happens. Writes what the transport took. */
#include "rust_part.h"

int main(void) {
  CHECK_EQ(rust_part_triggers(), 0);
  fake_print_sent();
  return 0;
}
