/* Traps and other ends of a 32-bit RISC-V, recorded by port/tband_fault_riscv.c: CRASH selects one. The recording goes
 * to trace.bin. */
#include "recording.h"
#include "semihost.h"
#include "tband.h"

/* 1 loads. */
#define STORE 2
#define ILLEGAL 3
#define JUMP 4
#define ASSERTION 5
#define OWN_HANDLER 6
#define WITHOUT_REGISTERS 7

__attribute__((noinline)) int main(void);
void save(void);
void save(void) {
  /* The fault has ended the recording already. */
  if (!recording_save()) {
    semihost_print("the recording was not saved\n");
    semihost_exit(1);
  }
  semihost_exit(0);
}

#if CRASH == OWN_HANDLER || CRASH == WITHOUT_REGISTERS
/* A handler that saves the registers x0 to x31 itself. */
void handle(const uint32_t *registers);
void handle(const uint32_t *registers) {
  tband_fault_trap((CRASH == OWN_HANDLER) ? registers : NULL);
  save();
}
__attribute__((naked, aligned(4))) void trap(void) {
  __asm volatile(
      "addi sp, sp, -128\n\tsw ra, 4(sp)\n\tsw t0, 20(sp)\n\taddi t0, sp, 128\n\tsw t0, 8(sp)\n\tsw s2, 72(sp)\n\t"
      "sw s11, 108(sp)\n\tsw a5, 60(sp)\n\tmv a0, sp\n\tj handle");
}
#else
TBAND_FAULT_HANDLER(trap, save)
#endif

/* With values in registers that the recording has to have. */
__attribute__((naked, noinline)) static void crash_here(uint32_t address) {
  (void)address;
  __asm volatile(
      "addi sp, sp, -16\n\tsw ra, 12(sp)\n\tli s2, 0x1234\n\tli s11, 0x5678\n\tli a5, 0x9abc\n\t"
      ".global crash_at\ncrash_at:\n\t"
#if CRASH == STORE
      "sw zero, 0(a0)\n\t"
#elif CRASH == ILLEGAL
      ".word 0xffffffff\n\t"
#elif CRASH == JUMP
      "jr a0\n\t"
#else
      "lw a0, 0(a0)\n\t"
#endif
      "lw ra, 12(sp)\n\taddi sp, sp, 16\n\tret");
}

int main(void) {
  __asm volatile("csrw mtvec, %0" ::"r"(trap));
  if (!recording_start()) {
    semihost_exit(2);
  }
  tband_evtmarker(1, "before");
#if CRASH == ASSERTION
  tband_fault_assert("folder/asserts.c", 77);
  save();
#endif
  crash_here(0x00000010U); /* nothing is there on the machine virt */
  return 3;
}
