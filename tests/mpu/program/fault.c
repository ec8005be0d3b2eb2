/* A read that may be forbidden, see program.h. Any other fault ends the program as usual. */
#include "program.h"

__attribute__((naked, noinline)) uint32_t probe(const volatile void *address) {
  (void)address;
  __asm volatile(
      ".global probe_load\n"
      ".thumb_func\n"
      "probe_load:\n\t"
      "ldr.n r0, [r0]\n\t"
      "bx lr");
}

extern const uint8_t probe_load[];
_Noreturn void board_fault(const uint32_t *frame);
void MemManage_Handler(void);

/* `frame` is what the core pushed: r0 to r3, r12, lr, pc, xpsr. */
__attribute__((used)) void memory_fault(uint32_t *frame);
void memory_fault(uint32_t *frame) {
  if (frame[6] != ((uint32_t)probe_load & ~1U)) {
    board_fault(frame);
  }
  *(volatile uint32_t *)0xE000ED28UL = 0xFFU; /* the fault's status */
  frame[0] = FORBIDDEN;
  frame[6] += 2U;
}

__attribute__((naked)) void MemManage_Handler(void) {
  __asm volatile(
      "tst lr, #4\n\t"
      "ite eq\n\t"
      "mrseq r0, msp\n\t"
      "mrsne r0, psp\n\t"
      "b memory_fault");
}
