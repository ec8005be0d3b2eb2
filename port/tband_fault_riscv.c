/* Traps of 32-bit RISC-V in machine mode: see include/tband_fault.h. Compiled in the user's project, if it is to record
 * them. */
#include "tband_fault_parts.h"

#if (tband_configENABLE != 0)

/* Number of additional words that the kernel's port for the chip saves, as defined in its
 * freertos_risc_v_chip_specific_extensions.h by portasmADDITIONAL_CONTEXT_SIZE. */
#ifndef tband_faultADDITIONAL_CONTEXT_WORDS
#define tband_faultADDITIONAL_CONTEXT_WORDS 0
#endif

#define TBAND_READ_CSR(name, into) __asm volatile("csrr %0, " name : "=r"(into))

#ifdef __riscv_32e
enum { TBAND_REGISTERS = 16, TBAND_CONTEXT_WORDS = 15 };
#else
enum { TBAND_REGISTERS = 32, TBAND_CONTEXT_WORDS = 31 };
#endif

static TBAND_NEVER_INLINE void tband_fault_csrs(void) {
  uint32_t value;
  TBAND_READ_CSR("mepc", value);
  tband_fault_value(TBAND_FAULT_FACT_PC, value);
  TBAND_READ_CSR("mcause", value);
  tband_fault_value(TBAND_FAULT_FACT_MCAUSE, value);
  TBAND_READ_CSR("mtval", value);
  tband_fault_value(TBAND_FAULT_FACT_MTVAL, value);
  TBAND_READ_CSR("mstatus", value);
  tband_fault_value(TBAND_FAULT_FACT_MSTATUS, value);
}

/* Records a trap with the registers x0 to x31; or, if the cause is below 0, a call of tband_fault_here(), whose
 * arguments they contain. */
void tband_fault_saved(const uint32_t *registers, int32_t cause);
TBAND_CALLED_BY_ASSEMBLER void tband_fault_saved(const uint32_t *registers, int32_t cause) {
  const char *text = NULL;
  uint32_t kind = TBAND_CRASH_KIND_EXCEPTION;
  if (!tband_fault_begins()) {
    return;
  }
  if (cause < 0) {
    text = (const char *)(uintptr_t)registers[10];
    kind = registers[12];
    tband_fault_value(TBAND_FAULT_FACT_PC, registers[1]);
    if (registers[11] != 0U) {
      tband_fault_value(TBAND_FAULT_FACT_LINE, registers[11]);
      text = tband_fault_file(text);
    }
  } else {
    tband_fault_csrs();
  }
  tband_fault_value(TBAND_FAULT_FACT_SP, registers[2]);
  tband_fault_value(TBAND_FAULT_FACT_RA, registers[1]);
  tband_fault_values(TBAND_FAULT_FACT_GP, &registers[3], TBAND_REGISTERS - 3);
  tband_fault_ends(kind, text, registers[2], 0);
}

void tband_fault_trap(const uint32_t *registers) {
  if (registers != NULL) {
    tband_fault_saved(registers, 0);
  } else if (tband_fault_begins()) {
    tband_fault_csrs();
    tband_fault_ends(TBAND_CRASH_KIND_EXCEPTION, NULL, 0, 0);
  }
}

#if (tband_configFREERTOS_TRACE_ENABLE != 0)
void tband_fault_freertos_trap(void) {
  const TaskHandle_t current = xTaskGetCurrentTaskHandle();
  if (!tband_fault_begins()) {
    return;
  }
  tband_fault_csrs();
  uint32_t sp = 0;
  if ((current != NULL) && tband_fault_may_read((const void *)current, 0)) {
    /* A task's control block begins with its stack pointer, below which is: pc, x1, x5 and so on. */
    const uint32_t *const context =
        *(const uint32_t *const *)current + (tband_faultADDITIONAL_CONTEXT_WORDS);
    if (tband_fault_may_read(context, (uintptr_t)current)) {
      sp = (uint32_t)(uintptr_t)&context[TBAND_CONTEXT_WORDS];
      tband_fault_value(TBAND_FAULT_FACT_RA, context[1]);
      tband_fault_value(TBAND_FAULT_FACT_SP, sp);
      tband_fault_values(TBAND_FAULT_FACT_T0, &context[2], TBAND_REGISTERS - 5);
    }
  }
  tband_fault_ends(TBAND_CRASH_KIND_EXCEPTION, NULL, sp, 0);
}
#endif

/* Called from TBAND_FAULT_HANDLER and tband_fault_here(), which have reserved 32 words, saved ra and t0, and loaded the
 * cause into t0. Saves the other registers, and restores those that a function may change. */
void tband_fault_enter(void);
__attribute__((naked, used)) void tband_fault_enter(void) {
  __asm volatile(
      "sw t1, 24(sp)\n\taddi t1, sp, 128\n\tsw t1, 8(sp)\n\tsw gp, 12(sp)\n\tsw tp, 16(sp)\n\tsw t2, 28(sp)\n\t"
      "sw s0, 32(sp)\n\tsw s1, 36(sp)\n\tsw a0, 40(sp)\n\tsw a1, 44(sp)\n\tsw a2, 48(sp)\n\tsw a3, 52(sp)\n\t"
      "sw a4, 56(sp)\n\tsw a5, 60(sp)\n\t"
#ifndef __riscv_32e
      "sw a6, 64(sp)\n\tsw a7, 68(sp)\n\tsw s2, 72(sp)\n\tsw s3, 76(sp)\n\tsw s4, 80(sp)\n\tsw s5, 84(sp)\n\t"
      "sw s6, 88(sp)\n\tsw s7, 92(sp)\n\tsw s8, 96(sp)\n\tsw s9, 100(sp)\n\tsw s10, 104(sp)\n\tsw s11, 108(sp)\n\t"
      "sw t3, 112(sp)\n\tsw t4, 116(sp)\n\tsw t5, 120(sp)\n\tsw t6, 124(sp)\n\t"
#endif
      "mv a0, sp\n\tmv a1, t0\n\taddi sp, sp, -16\n\tsw ra, 12(sp)\n\tcall tband_fault_saved\n\tlw ra, 12(sp)\n\t"
      "addi sp, sp, 16\n\tlw t1, 24(sp)\n\tlw t2, 28(sp)\n\tlw a0, 40(sp)\n\tlw a1, 44(sp)\n\tlw a2, 48(sp)\n\t"
      "lw a3, 52(sp)\n\tlw a4, 56(sp)\n\tlw a5, 60(sp)\n\t"
#ifndef __riscv_32e
      "lw a6, 64(sp)\n\tlw a7, 68(sp)\n\tlw t3, 112(sp)\n\tlw t4, 116(sp)\n\tlw t5, 120(sp)\n\tlw t6, 124(sp)\n\t"
#endif
      "ret");
}

__attribute__((naked, used)) void tband_fault_here(const char *text, uint32_t line, uint32_t kind) {
  (void)text;
  (void)line;
  (void)kind;
  __asm volatile(
      "addi sp, sp, -128\n\tsw t0, 20(sp)\n\tsw ra, 4(sp)\n\tli t0, -1\n\tcall tband_fault_enter\n\t"
      "lw ra, 4(sp)\n\taddi sp, sp, 128\n\tret");
}

#endif
