/*
 * Semihosting on RISC-V: the same as on Arm (examples/mps2-board/semihost.c), except for the
 * sequence of three instructions that the emulator recognises.
 */
#include "semihost.h"

#include <string.h>

enum { SYS_OPEN = 0x01, SYS_CLOSE = 0x02, SYS_WRITE0 = 0x04, SYS_WRITE = 0x05, SYS_EXIT = 0x20 };

static int32_t call(uint32_t operation, const volatile void *arguments) {
  register uint32_t a0 __asm("a0") = operation;
  register const volatile void *a1 __asm("a1") = arguments;
  __asm volatile(
      ".option push\n\t"
      ".option norvc\n\t"
      ".balign 16\n\t" /* all three in one page */
      "slli x0, x0, 0x1f\n\t"
      "ebreak\n\t"
      "srai x0, x0, 7\n\t"
      ".option pop"
      : "+r"(a0)
      : "r"(a1)
      : "memory");
  return (int32_t)a0;
}

int semihost_create(const char *name) {
  const uintptr_t arguments[] = {(uintptr_t)name, 5, strlen(name)};
  return (int)call(SYS_OPEN, arguments);
}

bool semihost_write(int file, const volatile void *data, size_t len) {
  const uintptr_t arguments[] = {(uintptr_t)file, (uintptr_t)data, len};
  return call(SYS_WRITE, arguments) == 0;
}

bool semihost_close(int file) {
  const uintptr_t arguments[] = {(uintptr_t)file};
  return call(SYS_CLOSE, arguments) == 0;
}

void semihost_print(const char *text) { (void)call(SYS_WRITE0, text); }

void semihost_exit(int status) {
  const uintptr_t arguments[] = {0x20026, (uintptr_t)status};
  for (;;) {
    (void)call(SYS_EXIT, arguments);
  }
}
