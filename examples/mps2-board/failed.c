/*
 * Ends a program that has found an error: with a message on the emulator's stderr and status 1. See
 * board.h.
 */
#include "board.h"

#include "semihost.h"

void board_failed(const char *what, const char *file, int line) {
  char digits[12];
  char *at = &digits[sizeof digits - 1];
  *at = '\0';
  unsigned rest = (unsigned)line;
  do {
    *--at = (char)('0' + rest % 10U);
    rest /= 10U;
  } while (rest != 0);
  semihost_print(file);
  semihost_print(":");
  semihost_print(at);
  semihost_print(": ");
  semihost_print(what);
  semihost_print("\n");
  semihost_exit(1);
}
