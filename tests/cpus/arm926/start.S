/* Start of an ARM9 or ARM7 (A32): stacks of all modes, vectors at address 0; then main() in SVC, with interrupts masked.
 * CHECK_ALIGNMENT: every unaligned access faults. */
    .syntax unified
    .arm
    .section .start, "ax"
    .global _start
_start:
    ldr pc, =reset
    ldr pc, =bad
    ldr pc, =svc
    ldr pc, =bad
    ldr pc, =bad
    ldr pc, =bad
    ldr pc, =irq
    ldr pc, =bad
    .ltorg
    .text
    .global bad
bad: mov r0, #0
    bl board_fault
    b bad
reset:
    mrc p15, 0, r0, c1, c0, 0
#ifdef CHECK_ALIGNMENT
    orr r0, r0, #(1 << 1)
#endif
    mcr p15, 0, r0, c1, c0, 0
    msr cpsr_c, #0xd1
    ldr sp, =stack_fiq
    msr cpsr_c, #0xd2
    ldr sp, =stack_irq
    msr cpsr_c, #0xd7
    ldr sp, =stack_abt
    msr cpsr_c, #0xdb
    ldr sp, =stack_und
    msr cpsr_c, #0xd3
    ldr sp, =stack_svc
    ldr r0, =bss_start
    ldr r1, =bss_end
    mov r2, #0
1:  cmp r0, r1
    strlo r2, [r0], #4
    blo 1b
    bl main
2:  b 2b
#ifdef APP_RTOS
svc: b vPortYieldProcessor
irq: b board_irq_entry
#else
svc: b bad
irq: b bad
#endif
    .bss
    .balign 16
    .space 4096
stack_fiq:
    .space 4096
stack_abt:
    .space 4096
stack_und:
    .space 16384
stack_irq:
    .space 65536
stack_svc:
