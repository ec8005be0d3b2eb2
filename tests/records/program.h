/* Two records of a program with a build id, both a RECORD() of its configuration. */
#include "fake_port.h"
#include "tband.h"

/* As a linker script puts it there: lengths, a type, the name, and an id. */
extern const uint8_t tband_build_note[];
const uint8_t tband_build_note[] = {4, 0, 0, 0, 8, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 1, 2, 3, 4, 5, 6, 7, 8};

int main(int count, char **arguments) {
  (void)count;
  (void)arguments;
  if (tband_start_streaming() != 0) {
    return 1;
  }
  RECORD(1);
  RECORD(2);
  if (tband_stop_streaming() != 0) {
    return 1;
  }
  fake_print_sent();
  return 0;
}
