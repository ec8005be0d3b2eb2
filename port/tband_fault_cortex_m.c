/* Faults of Cortex-M0 to M85: see include/tband_fault.h. Compiled in the user's project, if it is to record them. */
#include "tband_fault_parts.h"

#if (tband_configENABLE != 0)

#if !defined(__ARM_ARCH_6M__) && !defined(__ARM_ARCH_8M_BASE__)
/* M3 and up have fault status registers. */
#define TBAND_HAS_FAULT_STATUS 1
/* CFSR, HFSR, DFSR, MMFAR, BFAR. */
#define TBAND_STATUS ((const volatile uint32_t *)0xE000ED28U)
enum { TBAND_STATUS_WORDS = 5 };
/* MSTKERR, MLSPERR, STKERR, LSPERR, STKOF: the core could not stack the registers, so the stack has no frame to
 * read. */
#define TBAND_STACKING_FAILED ((1U << 4) | (1U << 5) | (1U << 12) | (1U << 13) | (1U << 20))
#endif

/* Word offsets in the frame that a core stacks. */
enum { TBAND_FRAME_R12 = 4, TBAND_FRAME_LR = 5, TBAND_FRAME_PC = 6, TBAND_FRAME_WORDS = 8, TBAND_FRAME_XPSR = 7 };
enum { TBAND_FPU_WORDS = 18, TBAND_KEPT_WORDS = 8, TBAND_KEPT_RETURN = 9 };
#define TBAND_NO_FPU_FRAME (1U << 4) /* of EXC_RETURN */
#define TBAND_IS_PADDED (1U << 9)    /* bit of the stacked xPSR */

/* Records the number of the exception, and returns it. */
static TBAND_NEVER_INLINE uint32_t tband_fault_exception(void) {
  uint32_t ipsr;
  __asm volatile("mrs %0, ipsr" : "=r"(ipsr));
  ipsr &= 0x1FFU;
  tband_fault_value(TBAND_FAULT_FACT_EXCEPTION, ipsr);
  return ipsr;
}

/* Records the registers that the core has stacked, and returns where the stack was before. */
static TBAND_NEVER_INLINE uint32_t tband_fault_frame(const uint32_t *frame, uint32_t exc_return) {
  uint32_t words = TBAND_FRAME_WORDS;
  if ((exc_return & TBAND_NO_FPU_FRAME) == 0U) {
    words += TBAND_FPU_WORDS;
  }
  if ((frame[TBAND_FRAME_XPSR] & TBAND_IS_PADDED) != 0U) {
    words += 1U;
  }
  tband_fault_values(TBAND_FAULT_FACT_R0, frame, TBAND_FRAME_R12);
  tband_fault_value(TBAND_FAULT_FACT_R12, frame[TBAND_FRAME_R12]);
  const uint32_t sp = (uint32_t)(uintptr_t)&frame[words];
  tband_fault_value(TBAND_FAULT_FACT_SP, sp);
  tband_fault_values(TBAND_FAULT_FACT_LR, &frame[TBAND_FRAME_LR], 3); /* lr, pc, xPSR */
  return sp;
}

#if tband_configFREERTOS_TRACE_ENABLE != 0
/* Returns true if the word is an EXC_RETURN value of an exception. */
static bool tband_fault_is_exc_return(uint32_t word) { return (word >= 0xFFFFFF00U) && ((word & 2U) == 0U); }

/* The fault occurred while the kernel switches tasks: the task's registers are where the kernel's port has saved them,
 * between the stack pointer that the task's control block begins with and the frame that the core has stacked. A port
 * saves up to two other words first, the last of which is EXC_RETURN, or saves EXC_RETURN after r11, perhaps followed
 * by 16 words of the FPU. Records r4 to r11 if they are there, and returns EXC_RETURN. If the port saves none, returns
 * that of a frame without the FPU. */
static TBAND_NEVER_INLINE uint32_t tband_fault_switched(const uint32_t *frame) {
  const void *const task = (const void *)xTaskGetCurrentTaskHandle();
  uint32_t exc_return = TBAND_NO_FPU_FRAME;
  if ((task == NULL) || !tband_fault_may_read(task, (uintptr_t)frame)) {
    return exc_return;
  }
  const uint32_t *kept = *(const uint32_t *const *)task;
  const uint32_t words = ((uint32_t)(uintptr_t)frame - (uint32_t)(uintptr_t)kept) / 4U;
  if ((((uintptr_t)kept & 3U) != 0U) || (words < TBAND_KEPT_WORDS) || (words > TBAND_KEPT_WORDS + 20U)) {
    return exc_return;
  }
  if (tband_fault_is_exc_return(kept[0])) {
    exc_return = kept[0];
    kept = &kept[1];
  } else if (tband_fault_is_exc_return(kept[1])) {
    exc_return = kept[1];
    kept = &kept[2];
  } else if ((words > TBAND_KEPT_WORDS) && tband_fault_is_exc_return(kept[TBAND_KEPT_WORDS])) {
    exc_return = kept[TBAND_KEPT_WORDS];
  }
  tband_fault_values(TBAND_FAULT_FACT_R4, kept, TBAND_KEPT_WORDS);
  return exc_return;
}
#else
static inline uint32_t tband_fault_switched(const uint32_t *frame) {
  (void)frame;
  return TBAND_NO_FPU_FRAME;
}
#endif

TBAND_CALLED_BY_ASSEMBLER void tband_fault_taken(uint32_t kind, const uint32_t *frame, const uint32_t *kept) {
  if (!tband_fault_begins()) {
    return;
  }
  (void)tband_fault_exception();
  tband_fault_values(TBAND_FAULT_FACT_R4, kept, TBAND_KEPT_WORDS);
  tband_fault_value(TBAND_FAULT_FACT_EXC_RETURN, kept[TBAND_KEPT_RETURN]);
#ifdef TBAND_HAS_FAULT_STATUS
  tband_fault_values(TBAND_FAULT_FACT_CFSR, TBAND_STATUS, TBAND_STATUS_WORDS);
  if ((TBAND_STATUS[0] & TBAND_STACKING_FAILED) != 0U) {
    tband_fault_value(TBAND_FAULT_FACT_SP, (uint32_t)(uintptr_t)frame);
    tband_fault_ends(kind, NULL, 0, 0); /* the stack cannot be read either */
    return;
  }
#endif
  const uint32_t sp = tband_fault_frame(frame, kept[TBAND_KEPT_RETURN]);
  tband_fault_ends(kind, NULL, sp, frame[TBAND_FRAME_PC]);
}

/* Called by the functions below: `kept` points to r4 to r11, one word, and the address after the call. */
void tband_fault_called(const char *text, uint32_t line, uint32_t kind, const uint32_t *kept);
TBAND_CALLED_BY_ASSEMBLER void tband_fault_called(const char *text, uint32_t line, uint32_t kind,
                                                  const uint32_t *kept) {
  if (!tband_fault_begins()) {
    return;
  }
  const uint32_t exception = tband_fault_exception();
  uint32_t sp = 0;
  if ((kind == TBAND_CRASH_KIND_STACK_OVERFLOW) && (exception != 0U)) {
    /* The kernel checks the stack during a switch: the frames of the task are on its own stack. */
    const uint32_t *frame;
    __asm volatile("mrs %0, psp" : "=r"(frame));
    sp = tband_fault_frame(frame, tband_fault_switched(frame));
  } else if (kept != NULL) {
    tband_fault_values(TBAND_FAULT_FACT_R4, kept, TBAND_KEPT_WORDS);
    sp = (uint32_t)(uintptr_t)&kept[TBAND_KEPT_WORDS + 2];
    tband_fault_value(TBAND_FAULT_FACT_SP, sp);
    tband_fault_value(TBAND_FAULT_FACT_PC, kept[TBAND_KEPT_RETURN]);
  }
  if (line != 0U) {
    tband_fault_value(TBAND_FAULT_FACT_LINE, line);
    text = tband_fault_file(text);
  }
  tband_fault_ends(kind, text, sp, 0);
}

#if defined(__GNUC__)
#ifdef TBAND_HAS_FAULT_STATUS
#define TBAND_PUSH_R4_TO_R11 "push {r4-r11}\n\t"
#else
/* The push instruction of M0 can store only r0 to r7 and lr. */
#define TBAND_PUSH_R4_TO_R11                                                                   \
  "mov r3, r11\n\tpush {r3}\n\tmov r3, r10\n\tpush {r3}\n\tmov r3, r9\n\tpush {r3}\n\tmov r3, " \
  "r8\n\tpush {r3}\n\tpush {r4-r7}\n\t"
#endif

__attribute__((naked, used)) void tband_fault_here(const char *text, uint32_t line, uint32_t kind) {
  (void)text;
  (void)line;
  (void)kind;
  __asm volatile(".syntax unified\n\tpush {r3, lr}\n\t" TBAND_PUSH_R4_TO_R11
                 "mov r3, sp\n\tbl tband_fault_called\n\tadd sp, #32\n\tpop {r3, pc}");
}

/* Called from TBAND_HANDLER_OF with the kind, the address to continue at, and EXC_RETURN. */
void tband_fault_enter(void);
__attribute__((naked, used)) void tband_fault_enter(void) {
  __asm volatile(".syntax unified\n\tpush {r1, r2}\n\t" TBAND_PUSH_R4_TO_R11
                 "lsls r3, r2, #29\n\tbmi 1f\n\tmov r1, sp\n\tadds r1, #40\n\tb 2f\n"
                 "1:\n\tmrs r1, psp\n"
                 "2:\n\tmov r2, sp\n\tbl tband_fault_taken\n\tadd sp, #32\n\tpop {r1, r2}\n\tmov lr, "
                 "r2\n\tbx r1");
}
#else
/* For compilers without naked functions: does not record the caller. */
void tband_fault_here(const char *text, uint32_t line, uint32_t kind) {
  tband_fault_called(text, line, kind, NULL);
}
#endif

#endif
