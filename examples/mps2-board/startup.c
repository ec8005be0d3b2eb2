/*
 * Vector table, reset and faults, for any Cortex-M from M0 on. Handlers are weak: a program
 * overrides SysTick_Handler, IRQ20_Handler and so on by defining them. An unhandled exception, and
 * every fault, ends the program with a message and status 3, so that a broken firmware never looks
 * like a finished one.
 */
#include <stdint.h>

#include "semihost.h"

extern uint32_t board_stack_top[], board_data_load[], board_data_start[], board_data_end[];
extern uint32_t board_bss_start[], board_bss_end[];
int main(void);

enum { STATUS_FAULT = 3 };

_Noreturn void Reset_Handler(void);
void Reset_Handler(void) {
#if defined(__ARM_FP)
  /* Full access to the FPU, before any code uses it. */
  *(volatile uint32_t *)0xE000ED88UL |= 0xFUL << 20;
  __asm volatile("dsb\n\tisb" ::: "memory");
#endif
  const uint32_t *from = board_data_load;
  for (uint32_t *to = board_data_start; to < board_data_end; to++) {
    *to = *from++;
  }
  for (uint32_t *to = board_bss_start; to < board_bss_end; to++) {
    *to = 0;
  }
  semihost_exit(main());
}

static void print_hex(const char *name, uint32_t value) {
  char text[] = " 0x00000000";
  for (unsigned i = 0; i < 8; i++) {
    text[10 - i] = "0123456789abcdef"[(value >> (4 * i)) & 0xFU];
  }
  semihost_print(name);
  semihost_print(text);
}

/* `frame` is what the core pushed: r0 to r3, r12, lr, pc, xpsr. Only assembly calls this. */
__attribute__((used)) _Noreturn void board_fault(const uint32_t *frame);
void board_fault(const uint32_t *frame) {
  uint32_t number;
  __asm volatile("mrs %0, ipsr" : "=r"(number));
  print_hex("unexpected exception, number", number); /* 3: hard fault */
  print_hex(", pc", frame[6]);
  print_hex(", lr", frame[5]);
  print_hex(", CFSR", *(volatile uint32_t *)0xE000ED28UL);
  semihost_print("\n");
  semihost_exit(STATUS_FAULT);
}

/* The pushed frame is on the stack that was in use: see bit 2 of lr. */
__attribute__((naked)) void board_unhandled(void);
void board_unhandled(void) {
  __asm volatile(
      "movs r0, #4\n\t"
      "mov  r1, lr\n\t"
      "tst  r0, r1\n\t"
      "beq  1f\n\t"
      "mrs  r0, psp\n\t"
      "b    2f\n"
      "1:\n\t"
      "mrs  r0, msp\n"
      "2:\n\t"
      "ldr  r1, =board_fault\n\t"
      "bx   r1");
}

#define WEAK(handler) void handler(void) __attribute__((weak, alias("board_unhandled")));
WEAK(NMI_Handler)
WEAK(HardFault_Handler)
WEAK(MemManage_Handler)
WEAK(BusFault_Handler)
WEAK(UsageFault_Handler)
WEAK(SVC_Handler)
WEAK(DebugMon_Handler)
WEAK(PendSV_Handler)
WEAK(SysTick_Handler)

#define EACH_IRQ(X)                                                               \
  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) \
  X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27)   \
  X(28) X(29) X(30) X(31)
#define WEAK_IRQ(n) WEAK(IRQ##n##_Handler)
EACH_IRQ(WEAK_IRQ)

typedef void (*vector)(void);
#define IRQ_VECTOR(n) IRQ##n##_Handler,

extern const vector board_vectors[];
__attribute__((section(".vectors"), used)) const vector board_vectors[] = {
    (vector)(uintptr_t)board_stack_top,
    Reset_Handler,
    NMI_Handler,
    HardFault_Handler,
    MemManage_Handler,
    BusFault_Handler,
    UsageFault_Handler,
    board_unhandled,
    board_unhandled,
    board_unhandled,
    board_unhandled,
    SVC_Handler,
    DebugMon_Handler,
    board_unhandled,
    PendSV_Handler,
    SysTick_Handler,
    EACH_IRQ(IRQ_VECTOR)};
