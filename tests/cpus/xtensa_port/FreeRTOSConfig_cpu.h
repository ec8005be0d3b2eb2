/* The part of the configuration that the CPU, its board and Cadence's port need; assembler reads it, too. */
#ifndef FREERTOS_CONFIG_CPU_H
#define FREERTOS_CONFIG_CPU_H
#define configCPU_CLOCK_HZ 10000000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configMINIMAL_STACK_SIZE 2048
#define configISR_STACK_SIZE 4096
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 3
#define configNUM_CONFIGURABLE_REGIONS 1
/* The port keeps the address of its area for coprocessors there. */
#define configRECORD_STACK_HIGH_ADDRESS 1
#ifndef __ASSEMBLER__
void FreeRTOS_Tick_Handler(void);
#endif
#endif
