/* The part of the configuration that the CPU and its board need. The kernel's port is for the chip LPC2000, whose
 * registers the board does not have. It writes to memory in their place; the last register that it writes starts the
 * timer of the board. */
#ifndef FREERTOS_CONFIG_CPU_H
#define FREERTOS_CONFIG_CPU_H
#define configCPU_CLOCK_HZ 1000000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#ifndef __ASSEMBLER__
#include <stdint.h>
extern volatile uint32_t board_no_register;
#define T0_PR board_no_register
#define T0_MR0 board_no_register
#define T0_MCR board_no_register
#define T0_IR board_no_register
#define VICIntSelect board_no_register
#define VICIntEnable board_no_register
#define VICVectAddr board_no_register
#define VICVectAddr0 board_no_register
#define VICVectCntl0 board_no_register
volatile uint32_t *board_tick_setup(void);
#define T0_TCR (*board_tick_setup())
void FreeRTOS_Tick_Handler(void);
#endif
#endif
