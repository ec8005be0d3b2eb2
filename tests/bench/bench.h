/* Brackets: how many counts of a clock a piece of code takes, where it is. */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>

/* The measured calls; xtask/src/bench/target/mod.rs has the same list. */
enum bench_kind {
  BENCH_EMPTY,
  BENCH_TASK_SWITCHED_IN,
  BENCH_QUEUE_SEND,
  BENCH_ISR,
  BENCH_VALMARKER,
  BENCH_EVTMARKER_10,
  BENCH_STOPPED,
  BENCH_ISR_END,
  BENCH_TICK,
  BENCH_RECORD,
  /* With interrupts masked, so that the longest of each kind is its own. */
  BENCH_ALONE_MARKER_10,
  BENCH_ALONE_MARKER_20,
  BENCH_ALONE_MARKER_IN_ISR,
  BENCH_FIRST_RECORD,
  BENCH_KINDS
};

/* Another clock than the timestamps', which counts down. */
#if defined(__riscv)
/* QEMU's cycle counter, which counts the nanoseconds of its virtual time. */
static inline uint32_t bench_cycles(void) {
  uint32_t cycles;
  __asm volatile("csrr %0, mcycle" : "=r"(cycles));
  return cycles;
}
#define BENCH_CLOCK (0U - bench_cycles())
#elif defined(__aarch64__)
/* The generic timer, which counts QEMU's virtual time too. */
static inline uint32_t bench_cycles(void) {
  uint64_t cycles;
  __asm volatile("mrs %0, cntvct_el0" : "=r"(cycles));
  return (uint32_t)cycles;
}
#define BENCH_CLOCK (0U - bench_cycles())
#elif defined(__XTENSA__)
/* The cycle counter, which counts QEMU's virtual time at 10 MHz. */
static inline uint32_t bench_cycles(void) {
  uint32_t cycles;
  __asm volatile("rsr %0, ccount" : "=r"(cycles));
  return cycles;
}
#define BENCH_CLOCK (0U - bench_cycles())
#elif defined(BENCH_CPU_cortex_a9)
/* The global timer at 100 MHz. QEMU's Cortex-A9 has no cycle counter. */
#define BENCH_CLOCK (0U - *(volatile uint32_t *)0xF8F00200UL)
#elif defined(BENCH_CPU)
/* QEMU's cycle counter, which counts the nanoseconds of its virtual time. */
static inline uint32_t bench_cycles(void) {
  uint32_t cycles;
  __asm volatile("mrc p15, 0, %0, c9, c13, 0" : "=r"(cycles));
  return cycles;
}
#define BENCH_CLOCK (0U - bench_cycles())
#else
/* A dual timer at 25 MHz. */
#define BENCH_CLOCK (*(volatile uint32_t *)0x40002004UL)
#endif
#define BENCH_BARRIER() __asm volatile("" ::: "memory")

#define BENCH_BRACKET(kind, code)                    \
  do {                                               \
    BENCH_BARRIER();                                 \
    const uint32_t bench_start = BENCH_CLOCK;        \
    BENCH_BARRIER();                                 \
    code;                                            \
    BENCH_BARRIER();                                 \
    bench_sample((kind), bench_start - BENCH_CLOCK); \
  } while (0)

/* Keeps a measurement; beyond BENCH_SAMPLES of a kind it is left out. */
void bench_sample(enum bench_kind kind, uint32_t counts);
enum { BENCH_SAMPLES = 1000 };

#endif
