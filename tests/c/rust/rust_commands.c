/* A C program with a part in Rust that executes commands. Its arguments are frames, in hexadecimal digits; writes the
 * bytes that the transport took. */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "check.h"
#include "fake_port.h"

/* In tests/rust_part/src/lib.rs. The first: 0, or the line of the check that failed. */
uint32_t rust_part_commands(const uint8_t *frame, size_t len);
int32_t rust_part_on_command(uint32_t number, uint32_t a, uint32_t b, uint32_t c);

#include "tband_commands.c"

int main(int argc, char **argv) {
  void *const page = (void *)(uintptr_t)0x20000000;
  CHECK(mmap(page, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == page);
  CHECK_EQ(tband_start_streaming(), 0);
  for (int at = 1; at < argc; at++) {
    uint8_t frame[TBAND_MAX_COMMAND_FRAME];
    const size_t len = strlen(argv[at]) / 2;
    CHECK(len <= sizeof(frame));
    for (size_t byte = 0; byte < len; byte++) {
      unsigned int value = 0;
      CHECK_EQ(sscanf(&argv[at][2 * byte], "%2x", &value), 1);
      frame[byte] = (uint8_t)value;
    }
    CHECK_EQ(rust_part_commands(frame, len), 0);
  }
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print_sent();
  return 0;
}
