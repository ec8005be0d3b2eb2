/* Records how firmware crashes: a fault, a failed assertion, a stack overflow, a failed allocation, a watchdog's
 * warning. Included by tband.h.
 *
 * The functions are in port/tband_fault_cortex_m.c and port/tband_fault_riscv.c; compile one of them together with the
 * shim. Each function records one event `fault` with the registers, and then closes the open packet. A post-mortem
 * recording or a snapshot stops, so that it keeps the events before the crash. All functions return: the firmware
 * decides whether to reset, to loop or to hit a breakpoint. Before a crash they cost no time, and one byte of RAM. */
#ifndef TBAND_FAULT_H
#define TBAND_FAULT_H

#include "tband.h" /* has no effect unless this header was included directly */

#if (tband_configENABLE != 0)

/* In the file of the architecture. `line` is 0 if there is none. */
void tband_fault_here(const char *text, uint32_t line, uint32_t kind);

/** Records a failed assertion: its location, and the functions on the call stack. `file` may be a path: its last part
 * is recorded, up to tband_configMAX_STR_LEN bytes. For FreeRTOS: `#define configASSERT(x) if (!(x)) {
 * tband_fault_assert(__FILE__, __LINE__); my_assert_failed(); }`. Any context. Uses about 150 bytes of the current
 * stack. */
TBAND_INLINE void tband_fault_assert(const char *file, uint32_t line) {
  tband_fault_here(file, line, TBAND_CRASH_KIND_FAILED_ASSERTION);
}

/** Records a stack overflow of a task: call it in vApplicationStackOverflowHook(), with the name that the kernel
 * passes. */
TBAND_INLINE void tband_fault_stack_overflow(const char *task_name) {
  tband_fault_here(task_name, 0, TBAND_CRASH_KIND_STACK_OVERFLOW);
}

/** Records that the heap is exhausted: call it in vApplicationMallocFailedHook(), if the firmware ends there. */
TBAND_INLINE void tband_fault_malloc_failed(void) {
  tband_fault_here(TBAND_NULL, 0, TBAND_CRASH_KIND_MALLOC_FAILED);
}

/** The firmware gives up for a reason of its choice, stated in `why`. Any context. */
TBAND_INLINE void tband_fault_fatal(const char *why) {
  tband_fault_here(why, 0, TBAND_CRASH_KIND_FATAL_ERROR);
}

#else

TBAND_INLINE void tband_fault_assert(const char *file, uint32_t line) {
  (void)file;
  (void)line;
}
TBAND_INLINE void tband_fault_stack_overflow(const char *task_name) { (void)task_name; }
TBAND_INLINE void tband_fault_malloc_failed(void) {}
TBAND_INLINE void tband_fault_fatal(const char *why) { (void)why; }

#endif

/* ---- Handlers ---------------------------------------------------------------------------------- */

/* TBAND_FAULT_HANDLER(HardFault_Handler, my_hard_fault) defines HardFault_Handler, a function for the vector table. It
 * records the fault and jumps to the firmware's own handler, my_hard_fault, with stack and lr as if that handler were
 * in the table. TBAND_WATCHDOG_HANDLER(WWDG_IRQHandler, my_watchdog) does the same for the warning that a watchdog
 * gives before it resets the chip. GCC and clang; with other compilers call tband_fault_taken() in your handler. */
#if defined(__GNUC__) && (defined(__ARM_ARCH_6M__) || (defined(__ARM_ARCH_PROFILE) && (__ARM_ARCH_PROFILE == 'M')))

#if (tband_configENABLE != 0)
/* With the EXC_RETURN in r2, because the call overwrites lr: no jump of M0 reaches that far. The firmware's handler is
 * an operand, so that link-time optimisation sees that it is needed. */
#define TBAND_HANDLER_OF(kind, handler, then)                                                                    \
  void handler(void);                                                                                            \
  void then(void);                                                                                               \
  __attribute__((naked)) void handler(void) {                                                                    \
    __asm volatile(                                                                                              \
        ".syntax unified\n\tmovs r0, %0\n\tldr r1, =%c1\n\tmov r2, lr\n\tbl tband_fault_enter\n\t.ltorg" ::"i"(kind), \
        "i"(then));                                                                                              \
  }
#else
#define TBAND_HANDLER_OF(kind, handler, then)                                          \
  void handler(void);                                                                  \
  void then(void);                                                                     \
  __attribute__((naked)) void handler(void) {                                          \
    __asm volatile(".syntax unified\n\tldr r1, =%c0\n\tbx r1\n\t.ltorg" ::"i"(then)); \
  }
#endif

#elif defined(__GNUC__) && defined(__riscv)

#if (tband_configENABLE != 0)
/* Interrupts, for which the top bit of mcause is set, skip the recording. */
#define TBAND_TRAP_ENTERS                                                                                \
  "addi sp, sp, -128\n\tsw t0, 20(sp)\n\tcsrr t0, mcause\n\tbltz t0, 1f\n\tsw ra, 4(sp)\n\t"             \
  "call tband_fault_enter\n\tlw ra, 4(sp)\n1:\n\tlw t0, 20(sp)\n\taddi sp, sp, 128\n\t"
#else
#define TBAND_TRAP_ENTERS ""
#endif
/* For mtvec in direct mode, or for the exception entry of the vector table. */
#define TBAND_FAULT_HANDLER(handler, then)                                                        \
  void handler(void);                                                                             \
  void then(void);                                                                                \
  __attribute__((naked, aligned(4))) void handler(void) {                                         \
    __asm volatile(TBAND_TRAP_ENTERS "j %0" ::"i"(then));                                         \
  }

#endif

#ifdef TBAND_HANDLER_OF
#define TBAND_FAULT_HANDLER(handler, then) TBAND_HANDLER_OF(TBAND_CRASH_KIND_EXCEPTION, handler, then)
#define TBAND_WATCHDOG_HANDLER(handler, then) TBAND_HANDLER_OF(TBAND_CRASH_KIND_WATCHDOG, handler, then)
#endif

#if (tband_configENABLE != 0)
#if defined(__riscv)
/** Records a trap, for custom handlers. `registers` are the saved values of x0 to x31, or NULL if they are not saved.
 * Reads mepc, mcause, mtval and mstatus, so no other trap may have occurred since. */
void tband_fault_trap(const uint32_t *registers);
/** Records a trap with FreeRTOS: call it in freertos_risc_v_application_exception_handler(). Reads the task's registers
 * from where the kernel's port has saved them. */
void tband_fault_freertos_trap(void);
#else
/** Records a fault on a Cortex-M, for custom handlers. `frame` points to the registers that the core has stacked (MSP,
 * or PSP if bit 2 of EXC_RETURN is set), from r0 on. `kept` points to r4 to r11, one ignored word, and EXC_RETURN.
 * `kind` is TBAND_CRASH_KIND_EXCEPTION or TBAND_CRASH_KIND_WATCHDOG. */
void tband_fault_taken(uint32_t kind, const uint32_t *frame, const uint32_t *kept);
#endif
#endif

#endif /* TBAND_FAULT_H */
