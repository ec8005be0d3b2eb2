/* Hooks that the kernel calls with interrupts masked. They need no critical section, and enter none if
 * tband_configTRUST_KERNEL_CRITICAL_SECTIONS is 1.
 *
 * Each row states where interrupts are masked. The rows hold for the kernel's releases V10.1 to V11.3 and its ports for
 * Cortex-M and RISC-V, one core. Hooks without a row are also called elsewhere in some function or some release: with
 * only the scheduler suspended (blocking, delays, tasks that become ready), or after the section (failures after a
 * wait). tests/qemu/masks.rs compares the rows with the mask that each hook finds. */
#ifndef TBAND_HOOKS_MASKED_H
#define TBAND_HOOKS_MASKED_H

#include "tband.h" /* has no effect unless this header was included directly */
#include "tband_hooks_version.h"

#if tband_configTRUST_KERNEL_CRITICAL_SECTIONS != 0

#if (TBAND_KERNEL_CORES > 1) || TBAND_IS_ESP_IDF
#error "tband: where the kernel masks interrupts is known for kernels of one core, and not for those of ESP-IDF. Put into tband_config.h:"
#error "    #define tband_configTRUST_KERNEL_CRITICAL_SECTIONS 0"
#include TBAND_STOP
#endif

/* In port/recorder/tband_masked.h. Like the functions without `masked`, for use inside a critical section. */
#ifdef __cplusplus
extern "C" {
#endif
void tband_record_masked_u32(uint32_t id, uint32_t first);
void tband_record_masked_u32_u32(uint32_t id, uint32_t first, uint32_t second);
void tband_record_masked_numbers(uint32_t id, uint32_t count, const uint32_t *numbers);
#ifdef __cplusplus
}
#endif

/* Between taskENTER_CRITICAL() and taskEXIT_CRITICAL(). */
#define TBAND_BY_SECTION(fields) tband_record_masked_##fields

/* In the interrupt that switches tasks: ports for Cortex-M mask round vTaskSwitchContext(), on a RISC-V interrupts are
 * off in a trap. And where the scheduler starts, which disables interrupts first. */
#define TBAND_BY_SWITCH(fields) tband_record_masked_##fields

/* Between taskENTER_CRITICAL_FROM_ISR() and taskEXIT_CRITICAL_FROM_ISR(), which are empty in the kernel's port for
 * RISC-V: a handler that enables nested interrupts is not masked there. */
#if defined(__ARM_ARCH_PROFILE) && (__ARM_ARCH_PROFILE == 'M')
#define TBAND_BY_SECTION_IN_ISR(fields) tband_record_masked_##fields
#elif defined(__riscv)
#define TBAND_BY_SECTION_IN_ISR(fields) tband_record_##fields
#else
#error "tband: where the kernel masks interrupts is known for its ports for Cortex-M and RISC-V. Put into tband_config.h:"
#error "    #define tband_configTRUST_KERNEL_CRITICAL_SECTIONS 0"
#include TBAND_STOP
#endif

#else

#define TBAND_BY_SECTION(fields) tband_record_##fields
#define TBAND_BY_SWITCH(fields) tband_record_##fields
#define TBAND_BY_SECTION_IN_ISR(fields) tband_record_##fields

#endif

/* tasks.c */
#define TBAND_MASKED_TASK_SWITCHED_IN TBAND_BY_SWITCH
#define TBAND_MASKED_TASK_SWITCHED_OUT TBAND_BY_SWITCH
#define TBAND_MASKED_TASK_SUSPEND TBAND_BY_SECTION
#define TBAND_MASKED_TASK_RESUME TBAND_BY_SECTION
#define TBAND_MASKED_TASK_RESUME_FROM_ISR TBAND_BY_SECTION_IN_ISR
#define TBAND_MASKED_TASK_PRIORITY_SET TBAND_BY_SECTION
#define TBAND_MASKED_TASK_PRIORITY_INHERIT TBAND_BY_SECTION
#define TBAND_MASKED_TASK_PRIORITY_DISINHERIT TBAND_BY_SECTION
#define TBAND_MASKED_TASK_NOTIFY TBAND_BY_SECTION
#define TBAND_MASKED_TASK_NOTIFY_FROM_ISR TBAND_BY_SECTION_IN_ISR
#define TBAND_MASKED_TASK_NOTIFY_GIVE_FROM_ISR TBAND_BY_SECTION_IN_ISR
#define TBAND_MASKED_TASK_NOTIFY_TAKE TBAND_BY_SECTION
#define TBAND_MASKED_TASK_NOTIFY_WAIT TBAND_BY_SECTION

/* queue.c */
#if TBAND_KERNEL_IS_V10_4
#define TBAND_MASKED_QUEUE_SEND TBAND_BY_SECTION
#else
#define TBAND_MASKED_QUEUE_SEND TBAND_BY_SECTION_IN_ISR /* also used for traceQUEUE_SET_SEND */
#endif
#define TBAND_MASKED_QUEUE_SET_SEND TBAND_BY_SECTION_IN_ISR /* in a section of either kind */
#define TBAND_MASKED_QUEUE_SEND_FROM_ISR TBAND_BY_SECTION_IN_ISR
#define TBAND_MASKED_QUEUE_SEND_FROM_ISR_FAILED TBAND_BY_SECTION_IN_ISR
#define TBAND_MASKED_QUEUE_RECEIVE TBAND_BY_SECTION
#define TBAND_MASKED_QUEUE_RECEIVE_FROM_ISR TBAND_BY_SECTION_IN_ISR
#define TBAND_MASKED_QUEUE_RECEIVE_FROM_ISR_FAILED TBAND_BY_SECTION_IN_ISR
#define TBAND_MASKED_QUEUE_PEEK TBAND_BY_SECTION
#define TBAND_MASKED_QUEUE_PEEK_FROM_ISR TBAND_BY_SECTION_IN_ISR
#define TBAND_MASKED_QUEUE_PEEK_FROM_ISR_FAILED TBAND_BY_SECTION_IN_ISR

/* event_groups.c, stream_buffer.c */
#define TBAND_MASKED_EVENT_GROUP_CLEAR_BITS TBAND_BY_SECTION
#define TBAND_MASKED_STREAM_BUFFER_RESET TBAND_BY_SECTION
#define TBAND_MASKED_STREAM_BUFFER_RESET_FROM_ISR TBAND_BY_SECTION_IN_ISR

/* An event of the kernel's macro `hook`, which is in a row. */
#define TBAND_RECORD_MASKED_U32(hook, event, first) TBAND_MASKED_##hook(u32)(TBAND_EVT_U32_##event, (first))
#define TBAND_RECORD_MASKED_U32_U32(hook, event, first, second) \
  TBAND_MASKED_##hook(u32_u32)(TBAND_EVT_U32_U32_##event, (first), (second))
#define TBAND_RECORD_MASKED_NUMBERS(hook, id, count, ...)         \
  do {                                                            \
    if (tband_is_recording()) {                                   \
      const uint32_t tband_numbers[count] = {__VA_ARGS__};        \
      TBAND_MASKED_##hook(numbers)((id), (count), tband_numbers); \
    }                                                             \
  } while (0)

#endif /* TBAND_HOOKS_MASKED_H */
