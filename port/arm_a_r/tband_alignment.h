/* Until the MMU and normal memory are on, or where SCTLR.A is set, an unaligned access faults. Packets store words at
 * any address where the compiler's macro allows it. Part of the ports for Cortex-A, Cortex-R and AArch64. */
#ifndef TBAND_ALIGNMENT_H
#define TBAND_ALIGNMENT_H

/* GCC 12 for AArch64 defines the macro with -mstrict-align too, so the port has to state that the option is set. */
#if defined(__ARM_FEATURE_UNALIGNED) && !defined(tband_portUNALIGNED_IS_FINE) && !defined(tband_portSTRICT_ALIGN)
#error "tband: the compiler may use unaligned accesses, which fault while the MMU is off. Compile tband_shim.c and the kernel with:"
#error "    -mno-unaligned-access   (AArch64: -mstrict-align, and with GCC the next line in tband_port.h)"
#error "    #define tband_portSTRICT_ALIGN 1"
#error "or, if MMU and normal memory are on before the first event, put into tband_port.h:"
#error "    #define tband_portUNALIGNED_IS_FINE 1"
#include TBAND_STOP
#endif

#endif /* TBAND_ALIGNMENT_H */
