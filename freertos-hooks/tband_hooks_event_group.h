/* Trace macros of the class EVENT_GROUP. All expand in event_groups.c.
 *
 * The bits of a group change in the critical section or with the scheduler suspended. What woken tasks
 * clear on exit has no macro; the host works it out from what they waited for. The kernel keeps the
 * upper 8 bits of its word for itself, so 8, 24 or 56 bits are there. An event has the lowest 32; if
 * another is set, the event `bits` has them, just before. */
#ifndef TBAND_HOOKS_EVENT_GROUP_H
#define TBAND_HOOKS_EVENT_GROUP_H

#include "tband.h" /* has no effect unless this header was included directly */
#include "tband_hooks_version.h"

#if tband_configFREERTOS_EVENT_GROUP_TRACE_ENABLE != 0

#define TBAND_EVENT_GROUP(group) ((const EventGroup_t *)(group))
#define TBAND_EVENT_GROUP_NUMBER(group) ((uint32_t)TBAND_EVENT_GROUP(group)->uxEventGroupNumber)
#define TBAND_EVENT_GROUP_BITS(group) ((uint32_t)TBAND_EVENT_GROUP(group)->uxEventBits)
/* Values of flags, see the event table. */
#define TBAND_EVENT_GROUP_ALL 1U
#define TBAND_EVENT_GROUP_CLEAR_ON_EXIT 2U
#define TBAND_EVENT_GROUP_TIMED_OUT 4U

/* Records bits 32 to 55 of two numbers of the next event. */
#if defined(TICK_TYPE_WIDTH_64_BITS) && (configTICK_TYPE_WIDTH_IN_BITS == TICK_TYPE_WIDTH_64_BITS)
#define TBAND_HIGH_BITS(bits) (((uint64_t)(bits) >> 32) & 0xFFFFFFU)
#define TBAND_RECORD_HIGH_BITS(number, bits, after, by_isr)                                             \
  do {                                                                                                  \
    const uint64_t tband_high_bits = TBAND_HIGH_BITS(bits) | (TBAND_HIGH_BITS(after) << 24);            \
    if (tband_high_bits != 0U) {                                                                        \
      tband_freertos_high_bits((number), tband_high_bits | ((uint64_t)(by_isr) << 48));                 \
    }                                                                                                   \
  } while (0)
#else
#define TBAND_RECORD_HIGH_BITS(number, bits, after, by_isr) ((void)0)
#endif

#define TBAND_ON_EVENT_GROUP_CREATE(xEventGroup)                                     \
  (xEventGroup)->uxEventGroupNumber = (UBaseType_t)tband_freertos_event_group_created( \
      (tband_kernel_function)uxEventGroupGetNumber)
#define TBAND_ON_EVENT_GROUP_CREATE_FAILED() TBAND_RECORD_U32(CREATE_FAILED, TBAND_KERNEL_OBJECT_EVENT_GROUP)
#define TBAND_ON_EVENT_GROUP_DELETE(xEventGroup)                                        \
  do {                                                                                  \
    TBAND_FORGET(TBAND_ID_BIT(TBAND_EVT_META_U32_STR_EVENT_GROUP_NAME),        \
                          TBAND_EVENT_GROUP_NUMBER(xEventGroup));                       \
    TBAND_RECORD_U32(EVENT_GROUP_DELETED, TBAND_EVENT_GROUP_NUMBER(xEventGroup));       \
  } while (0)

/* The kernel calls both before it changes the bits. */
#define TBAND_ON_EVENT_GROUP_SET_BITS(xEventGroup, uxBitsToSet)                               \
  do {                                                                                        \
    TBAND_RECORD_HIGH_BITS(TBAND_EVENT_GROUP_NUMBER(xEventGroup), (uxBitsToSet),              \
                           TBAND_EVENT_GROUP(xEventGroup)->uxEventBits | (uxBitsToSet), 0U);  \
    TBAND_RECORD_U32_U32_U32(EVENT_GROUP_SET_BITS, TBAND_EVENT_GROUP_NUMBER(xEventGroup),     \
                             (uint32_t)(uxBitsToSet),                                         \
                             TBAND_EVENT_GROUP_BITS(xEventGroup) | (uint32_t)(uxBitsToSet));  \
  } while (0)
#define TBAND_ON_EVENT_GROUP_CLEAR_BITS(xEventGroup, uxBitsToClear)                           \
  do {                                                                                        \
    TBAND_RECORD_HIGH_BITS(TBAND_EVENT_GROUP_NUMBER(xEventGroup), (uxBitsToClear),            \
                           TBAND_EVENT_GROUP(xEventGroup)->uxEventBits & ~(uxBitsToClear), 0U); \
    TBAND_RECORD_MASKED_NUMBERS(                                                              \
        EVENT_GROUP_CLEAR_BITS, TBAND_EVT_U32_U32_U32_EVENT_GROUP_CLEAR_BITS, 3,              \
        TBAND_EVENT_GROUP_NUMBER(xEventGroup), (uint32_t)(uxBitsToClear),                     \
        TBAND_EVENT_GROUP_BITS(xEventGroup) & ~(uint32_t)(uxBitsToClear));                    \
  } while (0)

/* Interrupts leave both to the timer task. */
#define TBAND_RECORD_DEFERRED_BITS(event, group, bits)                              \
  do {                                                                              \
    TBAND_RECORD_HIGH_BITS(TBAND_EVENT_GROUP_NUMBER(group), (bits), 0U, 1U);        \
    TBAND_RECORD_U32_U32(event, TBAND_EVENT_GROUP_NUMBER(group), (uint32_t)(bits)); \
  } while (0)
#define TBAND_ON_EVENT_GROUP_SET_BITS_FROM_ISR(xEventGroup, uxBitsToSet) \
  TBAND_RECORD_DEFERRED_BITS(EVENT_GROUP_SET_BITS_FROM_ISR, (xEventGroup), (uxBitsToSet))
#define TBAND_ON_EVENT_GROUP_CLEAR_BITS_FROM_ISR(xEventGroup, uxBitsToClear) \
  TBAND_RECORD_DEFERRED_BITS(EVENT_GROUP_CLEAR_BITS_FROM_ISR, (xEventGroup), (uxBitsToClear))

/* A group may be deleted while tasks wait for it, so its number is read before they wait. Older kernels have
 * no macro for that. */
#if !TBAND_KERNEL_IS_V11
#define TBAND_AWAITED_EVENT_GROUP(xEventGroup) TBAND_EVENT_GROUP_NUMBER(xEventGroup)
#else
#define TBAND_ENTER_xEventGroupWaitBits(xEventGroup, uxBitsToWaitFor, xClearOnExit, xWaitForAllBits, \
                                        xTicksToWait)                                                \
  const uint32_t tband_event_group = ((xEventGroup) == NULL) ? 0U : TBAND_EVENT_GROUP_NUMBER(xEventGroup)
#define TBAND_ENTER_xEventGroupSync(xEventGroup, uxBitsToSet, uxBitsToWaitFor, xTicksToWait) \
  const uint32_t tband_event_group = TBAND_EVENT_GROUP_NUMBER(xEventGroup)
#define TBAND_AWAITED_EVENT_GROUP(xEventGroup) tband_event_group
#endif

/* xEventGroupWaitBits: xWaitForAllBits, xClearOnExit and xTicksToWait are parameters, uxReturn is what
 * it will return. */
#define TBAND_EVENT_GROUP_WAIT_FLAGS()                                     \
  (((xWaitForAllBits != pdFALSE) ? TBAND_EVENT_GROUP_ALL : 0U) |           \
   ((xClearOnExit != pdFALSE) ? TBAND_EVENT_GROUP_CLEAR_ON_EXIT : 0U))
#define TBAND_EVENT_GROUP_END_FLAGS(timed_out) \
  (((timed_out) != pdFALSE) ? TBAND_EVENT_GROUP_TIMED_OUT : 0U)
#define TBAND_ON_EVENT_GROUP_WAIT_BITS_BLOCK(xEventGroup, uxBitsToWaitFor)                            \
  do {                                                                                                \
    TBAND_RECORD_HIGH_BITS(TBAND_EVENT_GROUP_NUMBER(xEventGroup), (uxBitsToWaitFor), 0U, 0U);         \
    TBAND_RECORD_U32_U32_U32_TICKS(CURTASK_BLOCK_ON_EVENT_GROUP_WAIT,                                 \
                                   TBAND_EVENT_GROUP_NUMBER(xEventGroup), (uint32_t)(uxBitsToWaitFor), \
                                   TBAND_EVENT_GROUP_WAIT_FLAGS(), TBAND_TICKS_TO_WAIT(xTicksToWait)); \
  } while (0)
#define TBAND_ON_EVENT_GROUP_WAIT_BITS_END(xEventGroup, uxBitsToWaitFor, xTimeoutOccurred)           \
  do {                                                                                               \
    TBAND_RECORD_HIGH_BITS(TBAND_AWAITED_EVENT_GROUP(xEventGroup), (uxBitsToWaitFor), uxReturn, 0U); \
    TBAND_RECORD_U32_U32_U32_U32(                                                                    \
        EVENT_GROUP_WAIT_END, TBAND_AWAITED_EVENT_GROUP(xEventGroup), (uint32_t)(uxBitsToWaitFor),   \
        TBAND_EVENT_GROUP_WAIT_FLAGS() | TBAND_EVENT_GROUP_END_FLAGS(xTimeoutOccurred),              \
        (uint32_t)uxReturn);                                                                         \
  } while (0)

/* xEventGroupSync: as above; it always waits for all bits and clears them. */
#define TBAND_ON_EVENT_GROUP_SYNC_BLOCK(xEventGroup, uxBitsToSet, uxBitsToWaitFor)                   \
  do {                                                                                               \
    TBAND_RECORD_HIGH_BITS(TBAND_EVENT_GROUP_NUMBER(xEventGroup), (uxBitsToWaitFor), 0U, 0U);        \
    TBAND_RECORD_U32_U32_U32_TICKS(CURTASK_BLOCK_ON_EVENT_GROUP_SYNC,                                \
                                   TBAND_EVENT_GROUP_NUMBER(xEventGroup), (uint32_t)(uxBitsToSet),   \
                                   (uint32_t)(uxBitsToWaitFor), TBAND_TICKS_TO_WAIT(xTicksToWait));  \
  } while (0)
#define TBAND_ON_EVENT_GROUP_SYNC_END(xEventGroup, uxBitsToSet, uxBitsToWaitFor, xTimeoutOccurred)   \
  do {                                                                                               \
    TBAND_RECORD_HIGH_BITS(TBAND_AWAITED_EVENT_GROUP(xEventGroup), (uxBitsToWaitFor), uxReturn, 0U); \
    TBAND_RECORD_U32_U32_U32_U32_U32(                                                                \
        EVENT_GROUP_SYNC_END, TBAND_AWAITED_EVENT_GROUP(xEventGroup), (uint32_t)(uxBitsToSet),       \
        (uint32_t)(uxBitsToWaitFor), TBAND_EVENT_GROUP_END_FLAGS(xTimeoutOccurred),                  \
        (uint32_t)uxReturn);                                                                         \
  } while (0)

#endif /* class EVENT_GROUP */

#endif /* TBAND_HOOKS_EVENT_GROUP_H */
