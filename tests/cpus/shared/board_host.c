/* The parts of each board that semihosting does. */
#include "board.h"
#include "semihost.h"

volatile uint32_t board_ticks;
static int file = -1;
void board_send(const void *data, size_t len) {
  if (file < 0) {
    file = semihost_create("trace.bin");
  }
  if (!semihost_write(file, data, len)) {
    semihost_print("board: cannot write trace.bin\n");
    semihost_exit(1);
  }
}
void board_say(const char *text) { semihost_print(text); }
void board_say_number(uint32_t number) {
  char digits[12];
  int at = 11;
  digits[at] = '\0';
  do {
    digits[--at] = (char)('0' + (number % 10U));
    number /= 10U;
  } while (number != 0U);
  digits[--at] = ' ';
  semihost_print(&digits[at]);
}
void board_exit(int code) { semihost_exit(code); }
