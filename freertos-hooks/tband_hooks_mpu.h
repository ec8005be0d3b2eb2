/* Additions for kernel ports with memory protection (portUSING_MPU_WRAPPERS). Whether the port is one of these is
 * known where the macros expand; with any other port they are empty.
 *
 * Tasks of such ports may be unprivileged, see port/recorder/tband_unprivileged.h. With version 2 of the wrappers, a
 * program's handle is an index into a list that only the wrappers know. The recorder then calls a harmless function
 * with the handle, and the hook in the kernel's function sees the object. */
#ifndef TBAND_HOOKS_MPU_H
#define TBAND_HOOKS_MPU_H

#include "tband.h" /* has no effect unless this header was included directly */
#include "tband_hooks_version.h"

#if TBAND_KERNEL_IS_V11

/* The recorder's marker in TaskStatus_t.xTaskNumber. No task has this number. */
#define TBAND_REFUSED_CALL 0x7462616EU

/* tasks.c, with privileges. */
#define TBAND_ENTER_uxTaskGetSystemState(pxTaskStatusArray, uxArraySize, pulTotalRunTime)       \
  do {                                                                                          \
    if ((portUSING_MPU_WRAPPERS == 1) && ((uxArraySize) == 1U) &&                               \
        ((pxTaskStatusArray)->xTaskNumber == TBAND_REFUSED_CALL)) {                             \
      tband_freertos_refused((uint32_t)(pxTaskStatusArray)->uxCurrentPriority);                 \
    }                                                                                           \
  } while (0)

#define TBAND_HANDLES_ARE_INDICES \
  ((portUSING_MPU_WRAPPERS == 1) && (configUSE_MPU_WRAPPERS_V1 == 0))

#define TBAND_ANSWER_NUMBER(number)                              \
  do {                                                           \
    if (TBAND_HANDLES_ARE_INDICES && tband_number_is_asked) {    \
      tband_answered_number = (number);                          \
    }                                                            \
  } while (0)

/* queue.c, timers.c and stream_buffer.c: functions that read the object and change nothing. */
#define TBAND_ENTER_uxQueueMessagesWaitingFromISR(xQueue) TBAND_ANSWER_NUMBER(TBAND_QUEUE_NUMBER(xQueue))
#if tband_configFREERTOS_TIMER_TRACE_ENABLE != 0
#define TBAND_ENTER_xTimerGetPeriod(xTimer) TBAND_ANSWER_NUMBER(TBAND_TIMER_NUMBER(xTimer))
#endif
#if tband_configFREERTOS_STREAM_BUFFER_TRACE_ENABLE != 0
#define TBAND_ENTER_xStreamBufferIsFull(xStreamBuffer) \
  TBAND_ANSWER_NUMBER(TBAND_STREAM_BUFFER_NUMBER(xStreamBuffer))
#endif

#endif /* TBAND_KERNEL_IS_V11 */

#endif /* TBAND_HOOKS_MPU_H */
