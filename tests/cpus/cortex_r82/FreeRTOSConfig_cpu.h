/* The part of the configuration that the CPU and its board need. The kernel reads and writes priorities of core 0's own
 * interrupts, which its redistributor has. */
#ifndef FREERTOS_CONFIG_CPU_H
#define FREERTOS_CONFIG_CPU_H
#define configINTERRUPT_CONTROLLER_BASE_ADDRESS 0x080B0000UL
#define configINTERRUPT_CONTROLLER_CPU_INTERFACE_OFFSET 0x10000UL
#define configUNIQUE_INTERRUPT_PRIORITIES 32
#define configMAX_API_CALL_INTERRUPT_PRIORITY 18
#define configUSE_TASK_FPU_SUPPORT 2
#define configENABLE_MPU 0
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_64_BITS
#define configNUMBER_OF_CORES CORES
#define configRUN_MULTIPLE_PRIORITIES 1
#define configUSE_CORE_AFFINITY 0
#define configUSE_PASSIVE_IDLE_HOOK 0
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0
#define configSTACK_DEPTH_TYPE uint32_t
#define configMINIMAL_STACK_SIZE 4096
#define configTOTAL_HEAP_SIZE ((size_t)(1024 * 1024))
/* With it the kernel reports the stack of its idle task, also without tband. */
#define configCHECK_FOR_STACK_OVERFLOW 0
#ifndef __ASSEMBLER__
void board_tick_setup(void);
void board_tick_clear(void);
#define configSETUP_TICK_INTERRUPT() board_tick_setup()
#define configCLEAR_TICK_INTERRUPT() board_tick_clear()
#endif
#endif
