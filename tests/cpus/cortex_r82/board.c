/* QEMU's machine virt with a GICv3, which has one redistributor for each core. The tick is interrupt 27, on core 0. */
#include "board.h"
#include "core.h"

#include "FreeRTOS.h"
#include "task.h"
#include "tband.h"

#define GICD(at) (*(volatile uint32_t *)(uintptr_t)(0x08000000U + (at)))
#define GICR(at) (*(volatile uint32_t *)(uintptr_t)(0x080A0000U + 0x20000U * board_core() + (at)))
#define GICR_PRIORITY(number) (*(volatile uint8_t *)(uintptr_t)(0x080B0400U + 0x20000U * board_core() + (number)))

enum { YIELD = 0, TICK = 27 };

void secondary_start(void);
void secondary(uint32_t core);
void vApplicationIRQHandler(uint32_t iar);
void FreeRTOS_SGI_Handler(void);
extern volatile uint8_t ucPrimaryCoreInitDoneFlag;
extern volatile uint8_t ucSecondaryCoresReadyFlags[];
static uint64_t per_tick, next;

/* The kernel's port wants these of the application. */
void vGIC_EnableIRQ(uint32_t number) { GICR(0x10100) = 1U << number; }
void vGIC_SetPriority(uint32_t number, uint32_t priority) { GICR_PRIORITY(number) = (uint8_t)priority; }
void vGIC_PowerUpRedistributor(void) {
  GICR(0x14) &= ~2U;
  while ((GICR(0x14) & 4U) != 0U) {
  }
  GICR(0x10080) = 0xFFFFFFFFU; /* group 1 */
}
void vGIC_EnableCPUInterface(void) {
  __asm volatile("msr s3_0_c12_c12_5, %0\n\tisb" ::"r"((uint64_t)7)); /* ICC_SRE_EL1 */
  __asm volatile("msr s3_0_c4_c6_0, %0" ::"r"((uint64_t)0xFF));       /* ICC_PMR_EL1 */
  __asm volatile("msr s3_0_c12_c12_7, %0\n\tisb" ::"r"((uint64_t)1)); /* ICC_IGRPEN1_EL1 */
}

static void prepare_interrupts(void) {
  vGIC_PowerUpRedistributor();
  vGIC_SetPriority(YIELD, portLOWEST_USABLE_INTERRUPT_PRIORITY << portPRIORITY_SHIFT);
  vGIC_SetPriority(TICK, portLOWEST_USABLE_INTERRUPT_PRIORITY << portPRIORITY_SHIFT);
  vGIC_EnableIRQ(YIELD);
  vGIC_EnableCPUInterface();
}

static int64_t start_core(uint64_t core) {
  register uint64_t x0 __asm("x0") = 0xC4000003; /* CPU_ON */
  register uint64_t x1 __asm("x1") = core;
  register uint64_t x2 __asm("x2") = (uint64_t)(uintptr_t)secondary_start;
  register uint64_t x3 __asm("x3") = core;
  __asm volatile("hvc #0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x3) : "memory");
  return (int64_t)x0;
}

void board_tick_setup(void) {
  uint64_t hz;
  __asm volatile("mrs %0, cntfrq_el0" : "=r"(hz));
  per_tick = hz / configTICK_RATE_HZ;
  GICD(0) = 0x12; /* affinity routing, group 1 */
  prepare_interrupts();
  vGIC_EnableIRQ(TICK);
  for (uint64_t core = 1; core < CORES; core++) {
    if (start_core(core) != 0) {
      board_say("board: a core does not start\n");
      board_exit(1);
    }
  }
  __asm volatile("mrs %0, cntvct_el0" : "=r"(next));
  next += per_tick;
  __asm volatile("msr cntv_cval_el0, %0\n\tmsr cntv_ctl_el0, %1" ::"r"(next), "r"((uint64_t)1));
}

void board_tick_clear(void) {
  next += per_tick;
  __asm volatile("msr cntv_cval_el0, %0\n\tisb" ::"r"(next));
}

/* Another core: waits for the kernel on the first one, and begins its first task. */
void secondary(uint32_t core) {
  while (ucPrimaryCoreInitDoneFlag == 0U) {
  }
  prepare_interrupts();
  ucSecondaryCoresReadyFlags[core - 1U] = 1;
  __asm volatile("dsb sy\n\tsvc %0" ::"i"(portSVC_START_FIRST_TASK) : "memory");
}

void vApplicationIRQHandler(uint32_t iar) {
  const uint32_t number = iar & 0x3FFU;
  if (number == TICK) {
    board_tick(number);
  } else if (number == YIELD) {
    FreeRTOS_SGI_Handler();
  }
}
