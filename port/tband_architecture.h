/* The name of the CPU's architecture, for the symbol by which shim and library find each other: a library for
 * another one has another name there, so it does not link. Without this, Cortex-M code for a larger core links
 * and faults on the device. tband-ffi/build.rs finds the same names from Rust's target.
 *
 * Reported by what Arm's and RISC-V's C language extensions define, which gcc, clang, armclang and IAR have. */
#ifndef TBAND_ARCHITECTURE_H
#define TBAND_ARCHITECTURE_H

#if defined(__ARM_ARCH_PROFILE) && (__ARM_ARCH_PROFILE == 'M') && (__ARM_ARCH == 6)
#define TBAND_ARCHITECTURE armv6m
#elif defined(__ARM_ARCH_PROFILE) && (__ARM_ARCH_PROFILE == 'M') && (__ARM_ARCH == 7)
#if defined(__ARM_FEATURE_DSP)
#define TBAND_ARCHITECTURE armv7em
#else
#define TBAND_ARCHITECTURE armv7m
#endif
#elif defined(__ARM_ARCH_PROFILE) && (__ARM_ARCH_PROFILE == 'M')
#if __ARM_ARCH_ISA_THUMB >= 2
#define TBAND_ARCHITECTURE armv8m_main
#else
#define TBAND_ARCHITECTURE armv8m_base
#endif
#elif defined(__arm__) || defined(__ICCARM__)
#define TBAND_ARCHITECTURE arm
#elif defined(__riscv)
#if __riscv_xlen == 32
#define TBAND_RISCV_I rv32i
#else
#define TBAND_RISCV_I rv64i
#endif
#if defined(__riscv_mul)
#define TBAND_RISCV_M m
#else
#define TBAND_RISCV_M
#endif
/* Without short instructions the library for every such CPU is the one without atomics. */
#if defined(__riscv_atomic) && defined(__riscv_compressed)
#define TBAND_RISCV_A a
#else
#define TBAND_RISCV_A
#endif
#if defined(__riscv_compressed)
#define TBAND_RISCV_C c
#else
#define TBAND_RISCV_C
#endif
#define TBAND_RISCV_NAME_(i, m, a, c) i##m##a##c
#define TBAND_RISCV_NAME(i, m, a, c) TBAND_RISCV_NAME_(i, m, a, c)
#define TBAND_ARCHITECTURE \
  TBAND_RISCV_NAME(TBAND_RISCV_I, TBAND_RISCV_M, TBAND_RISCV_A, TBAND_RISCV_C)
#elif defined(__x86_64__)
#define TBAND_ARCHITECTURE x86_64
#elif defined(__aarch64__)
#define TBAND_ARCHITECTURE aarch64
#else
#define TBAND_ARCHITECTURE other
#endif

#endif /* TBAND_ARCHITECTURE_H */
