/* The part of the configuration that the CPU and its board need. */
#ifndef FREERTOS_CONFIG_CPU_H
#define FREERTOS_CONFIG_CPU_H
#define configCPU_CLOCK_HZ 10000000UL
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#ifndef __ASSEMBLER__
void FreeRTOS_Tick_Handler(void);
#endif
#endif
