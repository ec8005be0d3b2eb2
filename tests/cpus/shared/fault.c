/* The end of a program that has faulted. The vectors call it. */
#include <stdint.h>

#include "semihost.h"

#ifdef __aarch64__
void board_fault(uint64_t esr, uint64_t elr, uint64_t far);
void board_fault(uint64_t esr, uint64_t elr, uint64_t far) {
  char text[] = "board: fault, esr ........ elr ........ far ........\n";
  for (int i = 0; i < 8; i++) {
    text[25 - i] = "0123456789abcdef"[(esr >> (4 * i)) & 15];
    text[38 - i] = "0123456789abcdef"[(elr >> (4 * i)) & 15];
    text[51 - i] = "0123456789abcdef"[(far >> (4 * i)) & 15];
  }
  semihost_print(text);
  semihost_exit(2);
}
#else
void board_fault(void);
void board_fault(void) {
  semihost_print("board: fault\n");
  semihost_exit(2);
}
#endif
