/* The classes of events that this firmware was built to record, as bits of the flags of `trace_info`, from bit 3; bit 2
 * means that these bits are valid. Part of tband_shim.c. A constant: takes no code.
 *
 * tband-format/src/classes/mod.rs has the same bits; a test compares them. */
#ifndef TBAND_CLASSES_H
#define TBAND_CLASSES_H

#include "tband.h"

#if tband_configFREERTOS_TRACE_ENABLE
#define TBAND_CLASS(bit, class) ((tband_config##class##_TRACE_ENABLE) ? (1U << (bit)) : 0U)
#define TBAND_CLASSES                                                              \
  ((1U << 2) | TBAND_CLASS(3, MARKER) | TBAND_CLASS(4, ISR) |                      \
   TBAND_CLASS(5, FREERTOS_TASK) | TBAND_CLASS(6, FREERTOS_QUEUE) |                \
   TBAND_CLASS(7, FREERTOS_TASK_EXTRA) | TBAND_CLASS(8, FREERTOS_QUEUE_EXTRA) |    \
   TBAND_CLASS(9, FREERTOS_NOTIFICATION) | TBAND_CLASS(10, FREERTOS_STREAM_BUFFER) | \
   TBAND_CLASS(11, FREERTOS_EVENT_GROUP) | TBAND_CLASS(12, FREERTOS_TIMER) |       \
   TBAND_CLASS(13, FREERTOS_HEAP) | TBAND_CLASS(14, FREERTOS_LOW_POWER) |          \
   TBAND_CLASS(15, FREERTOS_ISR) | TBAND_CLASS(16, FREERTOS_STACK) |               \
   TBAND_CLASS(17, FREERTOS_SCHEDULER_STEP) | TBAND_CLASS(18, FREERTOS_TICK) |     \
   TBAND_CLASS(19, FREERTOS_API))
#elif tband_configUSE_SCHEDULER
#define TBAND_CLASS(bit, class) ((tband_config##class##_TRACE_ENABLE) ? (1U << (bit)) : 0U)
/* MARKER, OWN_ISR, TASK, QUEUE and NOTIFICATION. */
#define TBAND_CLASSES \
  ((1U << 2) | TBAND_CLASS(3, MARKER) | TBAND_CLASS(4, ISR) | (1U << 5) | (1U << 6) | (1U << 9))
#else
/* Most classes belong to the kernel; without it recordings do not state the classes. */
#define TBAND_CLASSES 0U
#endif

#endif
