/* The part of the configuration that the CPU and its board need. */
#ifndef FREERTOS_CONFIG_CPU_H
#define FREERTOS_CONFIG_CPU_H
#define configUNIQUE_INTERRUPT_PRIORITIES 32
#define configUSE_TASK_FPU_SUPPORT 2
#define configFPU_D32 0
#define configEOI_ADDRESS ((uint32_t)&board_no_eoi) /* vApplicationIRQHandler() tells the controller */
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#ifndef __ASSEMBLER__
extern uint32_t board_no_eoi;
void board_tick_setup(void);
void board_tick_clear(void);
#define configSETUP_TICK_INTERRUPT() board_tick_setup()
#define configCLEAR_TICK_INTERRUPT() board_tick_clear()
#endif
#endif
