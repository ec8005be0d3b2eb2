/* The name of the CPU's architecture, byte order and ABI. The symbol that connects shim and library contains it, so a
 * library for another CPU does not link, and the linker's message shows which CPU the library is for. Without the name,
 * Cortex-M code for a larger core would link and fault on the device. tband-ffi/architecture.rs derives the same names
 * from Rust's targets; a test compares the two for each CPU.
 *
 * The names are derived from the macros of Arm's and RISC-V's C language extensions, which GCC, clang, armclang and IAR
 * define. For a compiler that defines none of them, set TBAND_ARCHITECTURE to the name in the library. */
#ifndef TBAND_ARCHITECTURE_H
#define TBAND_ARCHITECTURE_H

#ifndef TBAND_ARCHITECTURE

/* A name is at most four parts: base, extensions, ABI, byte order. */
#define TBAND_NAME_OF_(base, extensions, abi, order) base##extensions##abi##order
#define TBAND_NAME_OF(base, extensions, abi, order) TBAND_NAME_OF_(base, extensions, abi, order)

#if defined(__BYTE_ORDER__) && (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#define TBAND_NAME_ORDER _big_endian
#elif defined(__ARM_BIG_ENDIAN) || defined(__BIG_ENDIAN__)
#define TBAND_NAME_ORDER _big_endian
#else
#define TBAND_NAME_ORDER
#endif

/* Arm, 32 bits. Soft and hard float need no names: linkers compare the objects' attributes. */
#if defined(__arm__) || defined(__ICCARM__) || (defined(__ARM_ARCH_PROFILE) && !defined(__aarch64__))
#if defined(__ARM_ARCH_PROFILE) && (__ARM_ARCH_PROFILE == 'M')
#if __ARM_ARCH == 6
#define TBAND_NAME_BASE armv6m
#elif __ARM_ARCH == 7
#if defined(__ARM_FEATURE_DSP)
#define TBAND_NAME_BASE armv7em
#else
#define TBAND_NAME_BASE armv7m
#endif
#elif __ARM_ARCH_ISA_THUMB >= 2
#define TBAND_NAME_BASE armv8m_main
#else
#define TBAND_NAME_BASE armv8m_base
#endif
#elif defined(__ARM_ARCH_PROFILE) && (__ARM_ARCH_PROFILE == 'R')
#if __ARM_ARCH == 7
#define TBAND_NAME_BASE armv7r
#else
#define TBAND_NAME_BASE armv8r
#endif
/* Cores of Armv8-A and newer run the code of Armv7-A in their 32-bit state. */
#elif defined(__ARM_ARCH_PROFILE) && (__ARM_ARCH_PROFILE == 'A') && (__ARM_ARCH >= 7)
#define TBAND_NAME_BASE armv7a
/* Older cores have no profile; some compilers report 'A' for them. */
#elif defined(__ARM_ARCH) && (__ARM_ARCH == 7)
#define TBAND_NAME_BASE armv7
#elif defined(__ARM_ARCH) && (__ARM_ARCH == 6)
#define TBAND_NAME_BASE armv6
#elif defined(__ARM_ARCH) && (__ARM_ARCH == 5)
#if defined(__ARM_FEATURE_DSP)
#define TBAND_NAME_BASE armv5te
#else
#define TBAND_NAME_BASE armv5t
#endif
#elif defined(__ARM_ARCH) && (__ARM_ARCH == 4)
#define TBAND_NAME_BASE armv4t
#endif

#elif defined(__aarch64__)
#if defined(__ARM_ARCH_PROFILE) && (__ARM_ARCH_PROFILE == 'R')
#define TBAND_NAME_BASE aarch64v8r
#else
#define TBAND_NAME_BASE aarch64
#endif
#if defined(__ILP32__)
#define TBAND_NAME_ABI _ilp32
#endif

#elif defined(__riscv)
#if defined(__riscv_32e)
#define TBAND_NAME_BASE rv32e
#elif defined(__riscv_64e)
#define TBAND_NAME_BASE rv64e
#elif __riscv_xlen == 32
#define TBAND_NAME_BASE rv32i
#else
#define TBAND_NAME_BASE rv64i
#endif
/* Extensions whose instructions the library may contain. */
#if defined(__riscv_mul)
#define TBAND_NAME_M m
#else
#define TBAND_NAME_M
#endif
#if defined(__riscv_atomic)
#define TBAND_NAME_A a
#else
#define TBAND_NAME_A
#endif
#if defined(__riscv_compressed)
#define TBAND_NAME_C c
#else
#define TBAND_NAME_C
#endif
#define TBAND_NAME_EXTENSIONS TBAND_NAME_OF(TBAND_NAME_M, TBAND_NAME_A, TBAND_NAME_C, )
/* The ABI of integers only has no name. That of rv32e follows from its base. */
#if defined(__riscv_float_abi_single)
#if __riscv_xlen == 32
#define TBAND_NAME_ABI _ilp32f
#else
#define TBAND_NAME_ABI _lp64f
#endif
#elif defined(__riscv_float_abi_double)
#if __riscv_xlen == 32
#define TBAND_NAME_ABI _ilp32d
#else
#define TBAND_NAME_ABI _lp64d
#endif
#endif

#elif defined(__XTENSA__)
#define TBAND_NAME_BASE xtensa
#if defined(__XTENSA_CALL0_ABI__)
#define TBAND_NAME_ABI _call0
#else
#define TBAND_NAME_ABI _windowed
#endif

#elif defined(__x86_64__) || defined(_M_X64)
#define TBAND_NAME_BASE x86_64
#if defined(_WIN32)
#define TBAND_NAME_ABI _windows
#elif defined(__ILP32__)
#define TBAND_NAME_ABI _ilp32
#endif
#elif defined(__i386__) || defined(_M_IX86)
#define TBAND_NAME_BASE x86
#if defined(_WIN32)
#define TBAND_NAME_ABI _windows
#endif

/* CPUs that Rust has a target for, and on which the library was never run. `mips` and `sparc` alone are macros of
 * GCC. */
#elif defined(__mips64)
#define TBAND_NAME_BASE mips64
#elif defined(__mips__)
#define TBAND_NAME_BASE mips32
#elif defined(__sparc__) && defined(__arch64__)
#define TBAND_NAME_BASE sparc64
#elif defined(__sparc__)
#define TBAND_NAME_BASE sparc32
#elif defined(__powerpc64__)
#define TBAND_NAME_BASE powerpc64
#elif defined(__powerpc__) || defined(__PPC__)
#define TBAND_NAME_BASE powerpc32
#elif defined(__loongarch_grlen) && (__loongarch_grlen == 64)
#define TBAND_NAME_BASE loongarch64
#elif defined(__loongarch_grlen)
#define TBAND_NAME_BASE loongarch32
#elif defined(__m68k__)
#define TBAND_NAME_BASE m68k
#elif defined(__hexagon__)
#define TBAND_NAME_BASE hexagon
#elif defined(__s390x__)
#define TBAND_NAME_BASE s390x

/* CPUs that no library is possible for: Rust has no target for them, or none with words of 32 bits.
 * cmake/without_library.txt lists them for the build tools, which name another recorder. Short names such as `arc` are
 * macros of some compilers. */
#elif defined(__AVR__)
#define TBAND_NAME_BASE avr
#elif defined(__MSP430__)
#define TBAND_NAME_BASE msp430
#elif defined(__RX__) || defined(__RX) || defined(__ICCRX__)
#define TBAND_NAME_BASE rx
#elif defined(__RL78__) || defined(__RL78) || defined(__ICCRL78__)
#define TBAND_NAME_BASE rl78
#elif defined(__arc__) || defined(__ARC__) || defined(_ARC)
#define TBAND_NAME_BASE arc_cpu
#elif defined(__MICROBLAZE__)
#define TBAND_NAME_BASE micro_blaze
#elif defined(__nios2__) || defined(__NIOS2__)
#define TBAND_NAME_BASE nios_ii
#elif defined(__SDCC_mcs51) || defined(__C51__) || defined(__ICC8051__)
#define TBAND_NAME_BASE mcs51
#elif defined(__XC8)
#define TBAND_NAME_BASE pic8
#elif defined(__XC16__) || defined(__XC_DSC__)
#define TBAND_NAME_BASE pic16
#elif defined(__H8300__) || defined(__H8300H__) || defined(__H8300S__)
#define TBAND_NAME_BASE h8_300
#elif defined(__AVR32__) || defined(__avr32__)
#define TBAND_NAME_BASE avr32
#endif

#ifndef TBAND_NAME_EXTENSIONS
#define TBAND_NAME_EXTENSIONS
#endif
#ifndef TBAND_NAME_ABI
#define TBAND_NAME_ABI
#endif

#if defined(TBAND_NAME_BASE)
#define TBAND_ARCHITECTURE TBAND_NAME_OF(TBAND_NAME_BASE, TBAND_NAME_EXTENSIONS, TBAND_NAME_ABI, TBAND_NAME_ORDER)
#else
/* No library has this name. */
#define TBAND_ARCHITECTURE unknown_cpu
#define TBAND_ARCHITECTURE_IS_UNKNOWN 1
#endif

#endif /* TBAND_ARCHITECTURE */

#endif /* TBAND_ARCHITECTURE_H */
