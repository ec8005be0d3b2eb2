/* Reset of the RISC-V test firmware: stack, zeroed memory, main(). Loaded into memory by QEMU. */
#include <stdint.h>

#include "semihost.h"

extern uint32_t bss_start[], bss_end[];
int main(void);
_Noreturn __attribute__((used)) void start_c(void); /* called by assembler code */

void start_c(void) {
  for (uint32_t *at = bss_start; at < bss_end; at++) {
    *at = 0;
  }
  semihost_exit(main());
}

__attribute__((naked, section(".start"), used)) void _start(void) {
  __asm volatile(
      "la sp, stack_top\n\t"
      "j  start_c");
}
