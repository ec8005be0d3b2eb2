/* tband port: FreeRTOS on Cortex-R4 and R5, kernel port GCC/ARM_CRx_No_GIC, either byte order, with GCC or clang, one
 * core.
 *
 * Copy it and set the timer. Add the definitions that your backend needs: see the README beside this file. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

/* The speed of the core in Hz, for its cycle counter:
 * #define tband_portCPU_CLOCK_HZ 300000000
 * or a timer of the chip that keeps running in WFI, for example the RTI of TMS570 or the TTC of ZynqMP:
 * #define tband_portCOUNTER32() my_counter()
 * #define tband_portCOUNTER32_HZ 75000000 */

#include "FreeRTOS.h"
#include "task.h"

#include "arm_a_r/tband_arm_a_r.h"

/* ARM_CRx_No_GIC masks by CPSR.I. With a kernel port that masks by a GIC (ARM_CR5) remove this line. */
#define tband_portIS_MASKED() tband_port_is_masked()

#endif /* TBAND_PORT_H */
