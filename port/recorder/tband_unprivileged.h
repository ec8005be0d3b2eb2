/* Callers without privileges, with kernel ports that protect memory. Part of the shim.
 *
 * Such a task can neither mask interrupts (the write to BASEPRI is ignored, so a critical section would be
 * none) nor may it reach the recorder's memory. So the recorder's functions look who calls before they touch
 * anything, refuse, and count what was refused as dropped. The kernel's own functions, from which the hooks
 * are called, always run with privileges.
 *
 * To count takes privileges, too. They come with a system call that the kernel has in both versions of its
 * wrappers: uxTaskGetSystemState, with a list that is too short to be filled in, and that says in its only
 * entry what it is. The hook in that function reads it (tband_hooks_mpu.h). */
#if defined(TBAND_SHIM) && !defined(TBAND_UNPRIVILEGED_H)
#define TBAND_UNPRIVILEGED_H

/* The kernel's port protects memory, as far as this file knows the kernel. */
#if defined(portUSING_MPU_WRAPPERS) && (portUSING_MPU_WRAPPERS == 1)
#define TBAND_KERNEL_HAS_WRAPPERS 1
#else
#define TBAND_KERNEL_HAS_WRAPPERS 0
#endif

/* Functions in tband_api.h have to know it as well, where there is no header of the kernel. */
#if TBAND_KERNEL_HAS_WRAPPERS && !tband_configMEMORY_PROTECTION
#error "tband: the kernel's port has memory protection (portUSING_MPU_WRAPPERS), so tasks may be without privileges. Add to tband_config.h:"
#error "    #define tband_configMEMORY_PROTECTION 1"
#include TBAND_STOP
#endif

#if !tband_configMEMORY_PROTECTION || (tband_configFREERTOS_TRACE_ENABLE && !TBAND_KERNEL_HAS_WRAPPERS)

#define TBAND_HAS_UNPRIVILEGED_TASKS 0
#define TBAND_IS_REFUSED(is_metadata) false

#else

#if !defined(__ARM_ARCH_PROFILE) || (__ARM_ARCH_PROFILE != 'M')
#error "tband: memory protection (tband_configMEMORY_PROTECTION, portUSING_MPU_WRAPPERS) is known for Cortex-M only: elsewhere tband cannot find out who has privileges. Use the kernel's port without."
#include TBAND_STOP
#endif

#define TBAND_HAS_UNPRIVILEGED_TASKS 1
#define TBAND_IS_REFUSED(is_metadata) tband_is_refused(is_metadata)

/* Exceptions have privileges, whatever CONTROL says of the task below. Without privileges IPSR reads as 0. */
static inline bool tband_is_unprivileged(void) {
  uint32_t control, ipsr;
  __asm volatile("mrs %0, control" : "=r"(control));
  __asm volatile("mrs %0, ipsr" : "=r"(ipsr));
  return ((control & 1U) != 0U) && (ipsr == 0U);
}

#if tband_configFREERTOS_TRACE_ENABLE
/* Of the kernel's mpu_prototypes.h, which needs all other headers. */
UBaseType_t MPU_uxTaskGetSystemState(TaskStatus_t *const pxTaskStatusArray,
                                     const UBaseType_t uxArraySize,
                                     configRUN_TIME_COUNTER_TYPE *const pulTotalRunTime);

/* There are two tasks at least, this one and the idle task, so the kernel leaves a list of one as it is. */
static TBAND_NEVER_INLINE void tband_tell_refused(bool is_metadata) {
  TaskStatus_t message = {0};
  message.xTaskNumber = TBAND_REFUSED_CALL;
  message.uxCurrentPriority = is_metadata ? 1U : 0U;
  (void)MPU_uxTaskGetSystemState(&message, 1, NULL);
}
#else
/* Without hooks in the kernel nobody reads this. */
static inline void tband_tell_refused(bool is_metadata) { (void)is_metadata; }
#endif

static inline bool tband_is_refused(bool is_metadata) {
  if (!tband_is_unprivileged()) {
    return false;
  }
  tband_tell_refused(is_metadata);
  return true;
}

#endif

#endif /* TBAND_UNPRIVILEGED_H */
