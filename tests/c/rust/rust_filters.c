/* A C program with a part in Rust that selects the events to record. Writes the bytes that the transport took. */
#include "rust_part.h"

int main(void) {
  CHECK_EQ(rust_part_filters(), 0);
  fake_print_sent();
  return 0;
}
