/*
 * Vector table and reset. An unhandled exception stays in a loop, where a debugger finds it.
 */
#include <stdint.h>

extern uint32_t stack_top[], data_load[], data_start[], data_end[], bss_start[], bss_end[];
int main(void);

_Noreturn void Reset_Handler(void);
_Noreturn void Reset_Handler(void) {
  *(volatile uint32_t *)0xE000ED88UL |= 0xFUL << 20; /* access to the FPU */
  __asm volatile("dsb\n\tisb" ::: "memory");
  const uint32_t *from = data_load;
  for (uint32_t *to = data_start; to < data_end; to++) {
    *to = *from++;
  }
  for (uint32_t *to = bss_start; to < bss_end; to++) {
    *to = 0;
  }
  (void)main();
  for (;;) {
  }
}

void Default_Handler(void);
void Default_Handler(void) {
  for (;;) {
  }
}

void SysTick_Handler(void) __attribute__((weak, alias("Default_Handler")));
void USART1_IRQHandler(void) __attribute__((weak, alias("Default_Handler")));
void DMA2_Stream7_IRQHandler(void) __attribute__((weak, alias("Default_Handler")));

typedef void (*vector)(void);
enum { FIRST_IRQ = 16, VECTORS = FIRST_IRQ + 82 };

extern const vector vectors[VECTORS];
__attribute__((section(".vectors"), used)) const vector vectors[VECTORS] = {
    [0] = (vector)(uintptr_t)stack_top,
    [1] = Reset_Handler,
    [2 ... 14] = Default_Handler,
    [15] = SysTick_Handler,
    [FIRST_IRQ... FIRST_IRQ + 36] = Default_Handler,
    [FIRST_IRQ + 37] = USART1_IRQHandler,
    [FIRST_IRQ + 38 ... FIRST_IRQ + 69] = Default_Handler,
    [FIRST_IRQ + 70] = DMA2_Stream7_IRQHandler,
    [FIRST_IRQ + 71 ... VECTORS - 1] = Default_Handler,
};
