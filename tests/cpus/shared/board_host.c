/* The parts of each board that semihosting does. */
#include "board.h"
#include "semihost.h"

volatile uint32_t board_ticks;
static int file = -1;
void board_send(const void *data, size_t len) {
  if (file < 0) {
    file = semihost_create("trace.bin", 9);
  }
  (void)semihost_write(file, data, len);
}
void board_say(const char *text) { semihost_say(text); }
void board_exit(int code) { semihost_exit(code); }

#ifndef __aarch64__
/* For the vectors. AArch64 has more to print. */
void board_fault(void);
void board_fault(void) {
  semihost_say("board: fault\n");
  semihost_exit(2);
}
#endif
