/* A C program with a part in Rust that records a snapshot, and writes it to stdout. */
#include "rust_part.h"

int main(void) {
  CHECK_EQ(rust_part_snapshot(), 0);
  return 0;
}
