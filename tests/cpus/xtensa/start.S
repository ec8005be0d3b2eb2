/* Start, vectors and interrupts of an Xtensa core with register windows (32 address registers), on QEMU's machine `sim`. All code
 * runs with PS.UM = 0. */
    .section .vectors, "ax"
    .balign 1024
    .global vectors
vectors:
    /* The windows of callers go to their stacks and come back, as the windowed ABI defines it: the four lowest registers below the
     * stack pointer of the function that was called, the others at the end of the caller's frame. */
    .org 0x00                  /* overflow after call4 */
    s32e a0, a5, -16
    s32e a1, a5, -12
    s32e a2, a5, -8
    s32e a3, a5, -4
    rfwo
    .org 0x40                  /* underflow */
    l32e a0, a5, -16
    l32e a1, a5, -12
    l32e a2, a5, -8
    l32e a3, a5, -4
    rfwu
    .org 0x80                  /* overflow after call8 */
    s32e a0, a9, -16
    l32e a0, a1, -12
    s32e a1, a9, -12
    s32e a2, a9, -8
    s32e a3, a9, -4
    s32e a4, a0, -32
    s32e a5, a0, -28
    s32e a6, a0, -24
    s32e a7, a0, -20
    rfwo
    .org 0xC0                  /* underflow */
    l32e a0, a9, -16
    l32e a1, a9, -12
    l32e a2, a9, -8
    l32e a7, a1, -12
    l32e a3, a9, -4
    l32e a4, a7, -32
    l32e a5, a7, -28
    l32e a6, a7, -24
    l32e a7, a7, -20
    rfwu
    .org 0x100                 /* overflow after call12 */
    s32e a0, a13, -16
    l32e a0, a1, -12
    s32e a1, a13, -12
    s32e a2, a13, -8
    s32e a3, a13, -4
    s32e a4, a0, -48
    s32e a5, a0, -44
    s32e a6, a0, -40
    s32e a7, a0, -36
    s32e a8, a0, -32
    s32e a9, a0, -28
    s32e a10, a0, -24
    s32e a11, a0, -20
    rfwo
    .org 0x140                 /* underflow */
    l32e a0, a13, -16
    l32e a1, a13, -12
    l32e a2, a13, -8
    l32e a11, a1, -12
    l32e a3, a13, -4
    l32e a4, a11, -48
    l32e a5, a11, -44
    l32e a6, a11, -40
    l32e a7, a11, -36
    l32e a8, a11, -32
    l32e a9, a11, -28
    l32e a10, a11, -24
    l32e a11, a11, -20
    rfwu
    .org 0x300                 /* exceptions and interrupts of level 1 */
    j level1
    .org 0x3C0                 /* an exception in one of these handlers: end with status 3 */
    movi a2, 1
    movi a3, 3
    .byte 0x00, 0x51, 0x00     /* simcall */
    .org 0x3F0

    .text
    .balign 4
to_handler: .long board_exception
to_main:    .long main
to_stack:   .long stack_top
to_vectors: .long vectors
to_ps:      .long 0x40000      /* WOE */
to_masked:  .long 0x40003      /* WOE, INTLEVEL 3 */
to_bss:     .long bss_start
to_bss_end: .long bss_end

    .global _start
_start:
    movi a0, 0
    wsr a0, intenable
    l32r a2, to_masked
    wsr a2, ps
    rsync
    movi a0, 0
    wsr a0, windowbase
    rsync
    movi a0, 1
    wsr a0, windowstart
    rsync
    movi a0, 0
    l32r a2, to_vectors
    wsr a2, vecbase
    l32r a1, to_stack
    l32r a2, to_ps
    wsr a2, ps
    rsync
    l32r a2, to_bss
    l32r a3, to_bss_end
    movi a4, 0
1:  bgeu a2, a3, 2f
    s32i a4, a2, 0
    addi a2, a2, 4
    j 1b
2:  l32r a8, to_main
    callx8 a8
3:  j 3b

/* Saves the interrupted code's registers in a frame on its stack, below the 16 bytes that its caller's window is spilled to. Spills all
 * windows, and calls board_exception(frame), which returns the frame to continue with: the same one, or that of another task. */
level1:
    wsr a0, excsave1
    addi a0, a1, -112
    s32i a1, a0, 4
    s32i a2, a0, 8
    rsr a2, excsave1
    s32i a2, a0, 0
    rsr a2, epc1
    s32i a2, a0, 64
    rsr a2, ps
    s32i a2, a0, 68
    rsr a2, sar
    s32i a2, a0, 72
    rsr a2, lbeg
    s32i a2, a0, 76
    rsr a2, lend
    s32i a2, a0, 80
    rsr a2, lcount
    s32i a2, a0, 84
    rsr a2, exccause
    s32i a2, a0, 88
    s32i a3, a0, 12
    s32i a4, a0, 16
    s32i a5, a0, 20
    s32i a6, a0, 24
    s32i a7, a0, 28
    s32i a8, a0, 32
    s32i a9, a0, 36
    s32i a10, a0, 40
    s32i a11, a0, 44
    s32i a12, a0, 48
    s32i a13, a0, 52
    s32i a14, a0, 56
    s32i a15, a0, 60
    movi a2, 0
    wsr a2, lcount
    l32r a2, to_masked
    wsr a2, ps
    rsync
    /* A register of each window is touched, once round. */
    and a12, a12, a12
    rotw 3
    and a12, a12, a12
    rotw 3
    and a4, a4, a4
    rotw 2
    or a1, a0, a0
    or a6, a0, a0
    l32r a3, to_handler
    callx4 a3
    or a0, a6, a6
    l32i a2, a0, 68            /* EXCM is set in it: no interrupts until the end */
    wsr a2, ps
    rsync
    l32i a2, a0, 64
    wsr a2, epc1
    l32i a2, a0, 72
    wsr a2, sar
    l32i a2, a0, 76
    wsr a2, lbeg
    l32i a2, a0, 80
    wsr a2, lend
    l32i a2, a0, 84
    wsr a2, lcount
    l32i a1, a0, 4
    l32i a2, a0, 8
    l32i a3, a0, 12
    l32i a4, a0, 16
    l32i a5, a0, 20
    l32i a6, a0, 24
    l32i a7, a0, 28
    l32i a8, a0, 32
    l32i a9, a0, 36
    l32i a10, a0, 40
    l32i a11, a0, 44
    l32i a12, a0, 48
    l32i a13, a0, 52
    l32i a14, a0, 56
    l32i a15, a0, 60
    l32i a0, a0, 0
    rfe

    .section .noinit_stack, "aw", @nobits
    .balign 16
    .space 32768
stack_top:

    .section .reset, "ax"      /* where the core begins */
    j 1f
    .balign 4
2:  .long _start
1:  l32r a2, 2b
    jx a2
