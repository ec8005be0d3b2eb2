/*
 * Traps, and what a task is while it does not run: 32 words on its stack.
 *
 *   word 0           the address to go on at
 *   word 1           ra
 *   word 2           mstatus
 *   word 3           scratch
 *   words 5 to 31    x5 to x31
 *
 * gp and tp are the same for all tasks and are not kept. mscratch is the core's interrupt stack while a task runs, and
 * 0 inside of a trap: so a trap knows whether it came to a task or to another trap.
 */
#include "FreeRTOSConfig.h"

#define FRAME 128

  .text
  .option norvc

/* ---- A trap: mtvec ---- */
  .balign 4
  .global port_trap
port_trap:
  addi sp, sp, -FRAME
  sw   x1, 4(sp)
  sw   x5, 20(sp)
  sw   x6, 24(sp)
  sw   x7, 28(sp)
  sw   x8, 32(sp)
  sw   x9, 36(sp)
  sw   x10, 40(sp)
  sw   x11, 44(sp)
  sw   x12, 48(sp)
  sw   x13, 52(sp)
  sw   x14, 56(sp)
  sw   x15, 60(sp)
  sw   x16, 64(sp)
  sw   x17, 68(sp)
  sw   x18, 72(sp)
  sw   x19, 76(sp)
  sw   x20, 80(sp)
  sw   x21, 84(sp)
  sw   x22, 88(sp)
  sw   x23, 92(sp)
  sw   x24, 96(sp)
  sw   x25, 100(sp)
  sw   x26, 104(sp)
  sw   x27, 108(sp)
  sw   x28, 112(sp)
  sw   x29, 116(sp)
  sw   x30, 120(sp)
  sw   x31, 124(sp)
  csrr t0, mepc
  sw   t0, 0(sp)
  csrr t0, mstatus
  sw   t0, 8(sp)
  csrr a0, mcause
  csrrw s2, mscratch, zero
  beqz s2, of_a_trap

/* The task's frame is all there is of it: its core may run another one after this. */
  csrr s1, mhartid
  slli s1, s1, 2
  la   t0, pxCurrentTCBs
  add  s1, s1, t0
  lw   t0, 0(s1)
  sw   sp, 0(t0)
  mv   a1, sp
  mv   sp, s2
  call port_trap_of_a_task
  lw   t0, 0(s1)
  lw   sp, 0(t0)
  csrw mscratch, s2
  j    restore

of_a_trap:
  call port_trap_of_a_trap

restore:
  addi t0, sp, 12
  sc.w zero, zero, (t0) /* a reservation of what ran so far is void */
  lw   t0, 0(sp)
  csrw mepc, t0
  lw   t0, 8(sp)
  csrw mstatus, t0
  lw   x1, 4(sp)
  lw   x5, 20(sp)
  lw   x6, 24(sp)
  lw   x7, 28(sp)
  lw   x8, 32(sp)
  lw   x9, 36(sp)
  lw   x10, 40(sp)
  lw   x11, 44(sp)
  lw   x12, 48(sp)
  lw   x13, 52(sp)
  lw   x14, 56(sp)
  lw   x15, 60(sp)
  lw   x16, 64(sp)
  lw   x17, 68(sp)
  lw   x18, 72(sp)
  lw   x19, 76(sp)
  lw   x20, 80(sp)
  lw   x21, 84(sp)
  lw   x22, 88(sp)
  lw   x23, 92(sp)
  lw   x24, 96(sp)
  lw   x25, 100(sp)
  lw   x26, 104(sp)
  lw   x27, 108(sp)
  lw   x28, 112(sp)
  lw   x29, 116(sp)
  lw   x30, 120(sp)
  lw   x31, 124(sp)
  addi sp, sp, FRAME
  mret

/* ---- A core begins with the task that the kernel has chosen for it; a0: its interrupt stack ---- */
  .global port_start_first_task
port_start_first_task:
  csrw mscratch, a0
  csrr t1, mhartid
  slli t1, t1, 2
  la   t0, pxCurrentTCBs
  add  t0, t0, t1
  lw   t0, 0(t0)
  lw   sp, 0(t0)
  j    restore

/* ---- Reset: each hart gets a stack. Hart 0 runs the program, the others wait for its scheduler ---- */
  .section .start, "ax"
  .global _start
_start:
  csrw mie, zero
  csrr t0, mhartid
  li   t1, configNUMBER_OF_CORES
  bgeu t0, t1, nothing_to_do
  addi t0, t0, 1
  li   t1, PORT_INTERRUPT_STACK_SIZE
  mul  t0, t0, t1
  la   sp, port_interrupt_stacks
  add  sp, sp, t0
  csrw mscratch, sp /* no interrupt */
  csrr t0, mhartid
  beqz t0, 1f
  j    port_run_other_core
1:
  j    start_c
nothing_to_do:
  wfi
  j    nothing_to_do
