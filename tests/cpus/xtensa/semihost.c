/* Semihosting of Xtensa's simulators: see examples/mps2-board/semihost.h. */
#include "semihost.h"

#include <string.h>

enum { SYS_EXIT = 1, SYS_WRITE = 4, SYS_OPEN = 5, SYS_CLOSE = 6 };
enum { WRITE_ONLY = 1, CREATE = 0100, TRUNCATE = 01000 }; /* as Linux has them */

static int32_t call(int32_t number, intptr_t first, intptr_t second, intptr_t third) {
  register int32_t a2 __asm("a2") = number;
  register intptr_t a3 __asm("a3") = first;
  register intptr_t a4 __asm("a4") = second;
  register intptr_t a5 __asm("a5") = third;
  __asm volatile(".byte 0x00, 0x51, 0x00" : "+r"(a2), "+r"(a3) : "r"(a4), "r"(a5) : "memory");
  return a2;
}

int semihost_create(const char *name) {
  return (int)call(SYS_OPEN, (intptr_t)name, WRITE_ONLY | CREATE | TRUNCATE, 0644);
}

bool semihost_write(int file, const volatile void *data, size_t len) {
  return call(SYS_WRITE, file, (intptr_t)data, (intptr_t)len) == (int32_t)len;
}

bool semihost_close(int file) { return call(SYS_CLOSE, file, 0, 0) == 0; }

void semihost_print(const char *text) { (void)call(SYS_WRITE, 2, (intptr_t)text, (intptr_t)strlen(text)); }

void semihost_exit(int status) {
  for (;;) {
    (void)call(SYS_EXIT, status, 0, 0);
  }
}

/* LLVM has no instruction for a trap here. */
void abort(void);
void abort(void) { semihost_exit(9); }
