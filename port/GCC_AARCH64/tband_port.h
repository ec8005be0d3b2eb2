/* tband port: Cortex-A in AArch64 without an RTOS, with GCC or clang, one core.
 *
 * Copy it and set the timer. Add the definitions that your backend needs: see the README beside this file. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

/* The generic timer states its own frequency. With GCC state here that the shim is compiled with -mstrict-align, or
 * that MMU and normal memory are on before the first event:
 * #define tband_portSTRICT_ALIGN 1
 * #define tband_portUNALIGNED_IS_FINE 1 */

#include "arm_a_r/tband_aarch64.h"

#endif /* TBAND_PORT_H */
