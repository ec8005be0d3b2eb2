/* Cores of a Cortex-R82, for the kernel's port ARM_CR82, whose tasks run in EL0. It begins in EL1 with the stack pointer of EL0, as the
 * kernel's calls by SVC expect it. In EL0 the recorder needs DAIF (SCTLR_EL1.UMA), CNTVCT, and the number of the core, which
 * TPIDRRO_EL0 has. */
    .macro prepare number, stacks
    mov x2, #(3 << 20)
    msr cpacr_el1, x2
    mrs x2, sctlr_el1
    orr x2, x2, #2              /* A: unaligned accesses fault */
    bic x2, x2, #1              /* M */
    orr x2, x2, #(1 << 9)       /* UMA */
    orr x2, x2, #(1 << 16)      /* nTWI */
    orr x2, x2, #(1 << 18)      /* nTWE */
    msr sctlr_el1, x2
    mov x2, #2
    msr cntkctl_el1, x2
    msr tpidrro_el0, \number
    ldr x2, =_freertos_vector_table
    msr vbar_el1, x2
    isb
    ldr x2, =\stacks            /* a stack grows down: that of core 0 is the first one */
    add x3, \number, #1
    add x2, x2, x3, lsl #15
    mov sp, x2
    msr spsel, #0
    sub x2, x2, #16384
    mov sp, x2
    .endm

    .section .start, "ax"
    .global _start
_start:
    mov x0, #0
    prepare x0, stacks
    ldr x0, =bss_start
    ldr x1, =bss_end
1:  cmp x0, x1
    b.hs 2f
    str xzr, [x0], #8
    b 1b
2:  bl main
3:  b 3b

    .text
    .global secondary_start     /* by PSCI, with its number in x0 */
secondary_start:
    prepare x0, stacks
    bl secondary

    .macro vector to
    .balign 0x80
    b \to
    .endm
    .balign 0x800
    .global _freertos_vector_table
_freertos_vector_table:
    vector FreeRTOS_SWI_Handler /* EL1 with the stack pointer of EL0 */
    vector FreeRTOS_IRQ_Handler
    vector bad
    vector bad
    vector FreeRTOS_SWI_Handler /* EL1 */
    vector FreeRTOS_IRQ_Handler
    vector bad
    vector bad
    vector FreeRTOS_SWI_Handler /* EL0 */
    vector FreeRTOS_IRQ_Handler
    .rept 6
    vector bad
    .endr
bad:
    mrs x0, esr_el1
    mrs x1, elr_el1
    mrs x2, far_el1
    bl board_fault
    b bad

    .section .noinit, "aw", @nobits
    .balign 64
stacks:
    .space CORES * 32768
