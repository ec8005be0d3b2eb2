/* tband port: ARM7TDMI, ARM9 and ARM11 without an RTOS, with GCC or clang, one core.
 *
 * Copy it and set the timer. Add the definitions that your backend needs: see the README beside this file. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

/* A timer of the chip that counts up, 32 bits, and its frequency in Hz:
 * #define tband_portCOUNTER32() my_counter()
 * #define tband_portCOUNTER32_HZ 1000000 */

#include "arm_a_r/tband_arm_a_r.h"

#endif /* TBAND_PORT_H */
