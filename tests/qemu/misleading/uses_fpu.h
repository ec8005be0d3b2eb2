/* Included before each file of examples/crash: its tasks use the FPU whenever they wait, so the core stacks the
 * registers of that too. */
#if defined(__ARM_FP) && !defined(__ASSEMBLER__)
#define pdMS_TO_TICKS(ms) (__extension__({__asm volatile("vmov.f32 s0, #1.0" ::: "s0"); (TickType_t)(ms);}))
#endif
