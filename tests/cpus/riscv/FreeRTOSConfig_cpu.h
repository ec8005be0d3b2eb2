/* The part of the configuration that the CPU and its board need. */
#ifndef FREERTOS_CONFIG_CPU_H
#define FREERTOS_CONFIG_CPU_H
#define configMTIME_BASE_ADDRESS 0x0200BFF8UL
#define configMTIMECMP_BASE_ADDRESS 0x02004000UL
#define configCPU_CLOCK_HZ 10000000UL
#define configUSE_TICK_HOOK 1
#ifdef __riscv_flen
#define configENABLE_FPU 1
#endif
#if __riscv_xlen == 64
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_64_BITS
#else
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#endif
#endif
