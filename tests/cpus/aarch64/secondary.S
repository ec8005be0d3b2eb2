/* Where PSCI starts a core other than the first; x0 is its number. It has a stack, the FPU and the vectors, as start.S sets them up for the first one. */
    .text
    .global secondary_start
secondary_start:
    mov x1, #(3 << 20)
    msr cpacr_el1, x1
    mrs x1, sctlr_el1
#ifdef CHECK_ALIGNMENT
    orr x1, x1, #2
#endif
    bic x1, x1, #1
    msr sctlr_el1, x1
    ldr x1, =vectors
    msr vbar_el1, x1
    isb
    ldr x1, =secondary_stacks
    add x1, x1, x0, lsl #14     /* a stack grows down: that of core 1 is the first one */
    mov sp, x1
    bl secondary
    .bss
    .balign 16
secondary_stacks:
    .space (CORES - 1) * 16384
