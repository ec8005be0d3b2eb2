/* After the reset of hart 0, which kernel-port/context.S has given a stack: zeroed memory, main(). Loaded into memory
 * by QEMU. */
#include <stdint.h>

#include "semihost.h"

extern uint32_t bss_start[], bss_end[];
int main(void);
_Noreturn void start_c(void);

void start_c(void) {
  for (uint32_t *at = bss_start; at < bss_end; at++) {
    *at = 0;
  }
  semihost_exit(main());
}
