/* QEMU's machine virt with a GICv2, or with GIC3 a GICv3. */
#include "board.h"
#define GICD(at) (*(volatile uint32_t *)(uintptr_t)(0x08000000U + (at)))
#define GICC(at) (*(volatile uint32_t *)(uintptr_t)(0x08010000U + (at)))
#ifdef APP_RTOS
#include "FreeRTOS.h"
#include "task.h"
#include "tband.h"
static uint64_t per_tick, next;
void board_tick_setup(void) {
  uint64_t hz;
  __asm volatile("mrs %0, cntfrq_el0" : "=r"(hz));
  per_tick = hz / configTICK_RATE_HZ;
#ifdef GIC3 /* one redistributor a core; its second page has the private interrupts */
#define GICR(at) (*(volatile uint32_t *)(uintptr_t)(0x080A0000U + (at)))
  GICD(0) = 0x12; /* affinity routing, group 1 */
  GICR(0x14) &= ~2U;
  while ((GICR(0x14) & 4U) != 0U) {
  }
  GICR(0x10080) = 0xFFFFFFFFU; /* group 1 */
  GICR(0x10400 + 24) = (GICR(0x10400 + 24) & 0x00FFFFFFU) |
                       ((uint32_t)(portLOWEST_USABLE_INTERRUPT_PRIORITY << portPRIORITY_SHIFT) << 24); /* 27 */
  GICR(0x10100) = 1U << 27;
  __asm volatile("msr s3_0_c12_c12_5, %0\n\tisb" ::"r"((uint64_t)7)); /* ICC_SRE_EL1 */
  __asm volatile("msr s3_0_c4_c6_0, %0" ::"r"((uint64_t)0xFF));       /* ICC_PMR_EL1 */
  __asm volatile("msr s3_0_c12_c12_7, %0\n\tisb" ::"r"((uint64_t)1)); /* ICC_IGRPEN1_EL1 */
#else
  GICD(0) = 1;
  GICC(0) = 1;
  GICD(0x400 + 24) = (GICD(0x400 + 24) & 0x00FFFFFFU) |
                     ((uint32_t)(portLOWEST_USABLE_INTERRUPT_PRIORITY << portPRIORITY_SHIFT) << 24); /* 27 */
  GICD(0x100) = 1U << 27;
#endif
  __asm volatile("mrs %0, cntvct_el0" : "=r"(next));
  next += per_tick;
  __asm volatile("msr cntv_cval_el0, %0\n\tmsr cntv_ctl_el0, %1" ::"r"(next), "r"((uint64_t)1));
}
void board_tick_clear(void) {
  next += per_tick;
  __asm volatile("msr cntv_cval_el0, %0\n\tisb" ::"r"(next));
}
void vApplicationIRQHandler(uint32_t iar);
void vApplicationIRQHandler(uint32_t iar) {
  if ((iar & 0x3FFU) == 27U) {
    board_tick(iar & 0x3FFU);
  }
}
#endif
