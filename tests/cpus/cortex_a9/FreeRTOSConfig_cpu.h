/* The part of the configuration that the CPU and its board need. */
#ifndef FREERTOS_CONFIG_CPU_H
#define FREERTOS_CONFIG_CPU_H
#define configINTERRUPT_CONTROLLER_BASE_ADDRESS 0xF8F01000U
#define configINTERRUPT_CONTROLLER_CPU_INTERFACE_OFFSET (-0xF00)
#define configUNIQUE_INTERRUPT_PRIORITIES 32
#define configMAX_API_CALL_INTERRUPT_PRIORITY 18
#define configUSE_TASK_FPU_SUPPORT 2
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#ifndef __ASSEMBLER__
void board_tick_setup(void);
void board_tick_clear(void);
#define configSETUP_TICK_INTERRUPT() board_tick_setup()
#define configCLEAR_TICK_INTERRUPT() board_tick_clear()
#endif
#endif
