/* Semihosting of Arm (A32/T32 of A and R profile, A64) and RISC-V. See examples/mps2-board/semihost.h. */
#include "semihost.h"

#include <string.h>

enum { SYS_OPEN = 0x01, SYS_CLOSE = 0x02, SYS_WRITE0 = 0x04, SYS_WRITE = 0x05, SYS_EXIT = 0x18 };

#if defined(__aarch64__)
static uintptr_t call(uintptr_t op, const volatile void *arg) {
  register uintptr_t r0 __asm("x0") = op;
  register uintptr_t r1 __asm("x1") = (uintptr_t)arg;
  __asm volatile("hlt #0xF000" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}
#elif defined(__arm__)
static uintptr_t call(uintptr_t op, const volatile void *arg) {
  register uintptr_t r0 __asm("r0") = op;
  register uintptr_t r1 __asm("r1") = (uintptr_t)arg;
  /* HLT of A32, which QEMU knows; SVC 0x123456 is the kernel's own SWI on these ports. */
#if defined(__thumb__)
  __asm volatile(".inst.n 0xbabc" : "+r"(r0) : "r"(r1) : "memory");
#else
  __asm volatile(".inst 0xe10f0070" : "+r"(r0) : "r"(r1) : "memory");
#endif
  return r0;
}
#elif defined(__riscv)
static uintptr_t call(uintptr_t op, const volatile void *arg) {
  register uintptr_t a0 __asm("a0") = op;
  register uintptr_t a1 __asm("a1") = (uintptr_t)arg;
  __asm volatile(
      ".balign 16\n.option push\n.option norvc\n"
      "slli zero, zero, 0x1f\nebreak\nsrai zero, zero, 7\n.option pop"
      : "+r"(a0) : "r"(a1) : "memory");
  return a0;
}
#endif

/* QEMU reads blocks as little endian, whatever the CPU is. */
#if defined(__BYTE_ORDER__) && (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#define SEMIHOST_WORD(word) __builtin_bswap32((uint32_t)(word))
#else
#define SEMIHOST_WORD(word) ((uintptr_t)(word))
#endif

int semihost_create(const char *name) {
  const volatile uintptr_t arguments[] = {SEMIHOST_WORD(name), SEMIHOST_WORD(5) /* wb */, SEMIHOST_WORD(strlen(name))};
  return (int)call(SYS_OPEN, arguments);
}

bool semihost_write(int file, const volatile void *data, size_t len) {
  const volatile uintptr_t arguments[] = {SEMIHOST_WORD(file), SEMIHOST_WORD(data), SEMIHOST_WORD(len)};
  return call(SYS_WRITE, arguments) == 0;
}

bool semihost_close(int file) {
  const volatile uintptr_t arguments[] = {SEMIHOST_WORD(file)};
  return call(SYS_CLOSE, arguments) == 0;
}

void semihost_print(const char *text) { (void)call(SYS_WRITE0, text); }

void semihost_exit(int status) {
  for (;;) {
#if defined(__aarch64__) || (defined(__riscv) && __riscv_xlen == 64)
    const volatile uintptr_t arguments[] = {0x20026, (uintptr_t)status};
    (void)call(SYS_EXIT, arguments);
#else
    (void)call(SYS_EXIT, (const void *)(uintptr_t)((status == 0) ? 0x20026 : 0x20023));
#endif
  }
}
