/*
 * Semihosting on Cortex-M: operation number in r0, pointer to the arguments in
 * r1, BKPT 0xAB, result in r0. See semihost.h.
 */
#include "semihost.h"

#include <string.h>

enum {
  SYS_OPEN = 0x01,
  SYS_CLOSE = 0x02,
  SYS_WRITE0 = 0x04,
  SYS_WRITE = 0x05,
  SYS_EXIT_EXTENDED = 0x20,
};
enum { MODE_WRITE_BINARY = 5 };
enum { REASON_APPLICATION_EXIT = 0x20026 };

static int32_t call(uint32_t operation, const volatile void *arguments) {
  register uint32_t r0 __asm("r0") = operation;
  register const volatile void *r1 __asm("r1") = arguments;
  __asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return (int32_t)r0;
}

int semihost_create(const char *name) {
  const uintptr_t arguments[] = {(uintptr_t)name, MODE_WRITE_BINARY, strlen(name)};
  return (int)call(SYS_OPEN, arguments);
}

bool semihost_write(int file, const volatile void *data, size_t len) {
  const uintptr_t arguments[] = {(uintptr_t)file, (uintptr_t)data, len};
  return call(SYS_WRITE, arguments) == 0; /* the number of bytes not written */
}

bool semihost_close(int file) {
  const uintptr_t arguments[] = {(uintptr_t)file};
  return call(SYS_CLOSE, arguments) == 0;
}

void semihost_print(const char *text) { (void)call(SYS_WRITE0, text); }

void semihost_exit(int status) {
  const uintptr_t arguments[] = {REASON_APPLICATION_EXIT, (uintptr_t)status};
  for (;;) {
    (void)call(SYS_EXIT_EXTENDED, arguments);
  }
}
