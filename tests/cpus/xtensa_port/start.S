/* Where the core begins: a stack, a window, the port's vectors, and main() with interrupts on. */
    .section .reset, "ax"
    .global _start
_start:
    j 1f
    .align 4
    .literal_position
1:  movi a0, 0
    wsr a0, intenable
    movi a2, 0xF                /* INTLEVEL */
    wsr a2, ps
    rsync
    wsr a0, windowbase
    rsync
    movi a2, 1
    wsr a2, windowstart
    rsync
    movi a2, vectors
    wsr a2, vecbase
    movi a1, stack_top
    movi a2, bss_start
    movi a3, bss_end
2:  bgeu a2, a3, 3f
    s32i a0, a2, 0
    addi a2, a2, 4
    j 2b
3:  movi a2, 0x40020            /* WOE, UM */
    wsr a2, ps
    rsync
    movi a8, main
    callx8 a8
4:  j 4b

    .section .noinit_stack, "aw", @nobits
    .balign 16
    .space 32768
stack_top:
