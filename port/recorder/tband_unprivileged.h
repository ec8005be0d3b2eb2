/* Callers without privileges, with kernel ports that protect memory. Part of the shim.
 *
 * An unprivileged task cannot mask interrupts (the write to BASEPRI is ignored, so a critical section would have no
 * effect), and must not access the recorder's memory. So the recorder's functions check the caller's privilege before
 * they touch anything, refuse the call, and count it as dropped. The kernel's own functions, which call the hooks,
 * always run with privileges.
 *
 * The counting needs privileges, too. They come from a system call that both versions of the kernel's wrappers have:
 * uxTaskGetSystemState, called with a list that is too short to be filled in, and with a marker in its only entry. The
 * hook in that function reads the marker (tband_hooks_mpu.h). */
#if defined(TBAND_SHIM) && !defined(TBAND_UNPRIVILEGED_H)
#define TBAND_UNPRIVILEGED_H

/* The kernel's port protects memory, as far as this file knows the kernel. ESP-IDF's ports for Xtensa define the macro
 * too, for the memory of the coprocessors' registers; no task there lacks privileges. */
#if defined(portUSING_MPU_WRAPPERS) && (portUSING_MPU_WRAPPERS == 1) && !TBAND_IS_ESP_IDF
#define TBAND_KERNEL_HAS_WRAPPERS 1
#else
#define TBAND_KERNEL_HAS_WRAPPERS 0
#endif

/* Functions in tband_api.h need this too, where no header of the kernel is included. */
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

/* Exceptions are privileged, whatever CONTROL contains for the interrupted task. Without privileges IPSR reads as 0. */
static inline bool tband_is_unprivileged(void) {
  uint32_t control, ipsr;
  __asm volatile("mrs %0, control" : "=r"(control));
  __asm volatile("mrs %0, ipsr" : "=r"(ipsr));
  return ((control & 1U) != 0U) && (ipsr == 0U);
}

#if tband_configFREERTOS_TRACE_ENABLE
/* Declared in the kernel's mpu_prototypes.h, which needs all other headers. */
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
/* Without hooks in the kernel nothing reads the marker. */
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
