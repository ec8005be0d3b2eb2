/*
 * The events that the application records, and with APP_LOG a separate log of the same actions, so that the recording
 * can be compared with it, event for event. In your program call tband's functions.
 *
 * Each core has a log, which only that core writes: before it records an event, with interrupts disabled around both.
 * An entry is four numbers of 32 bits: the low half of the time, the kind of the entry, and two arguments.
 */
#ifndef LOG_H_
#define LOG_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of entries; a test has the same numbers. */
enum log_kind {
  LOG_SWITCHED_IN = 1,
  LOG_ISR_ENTER = 2,
  LOG_ISR_EXIT = 3,
  LOG_VALUE = 4,
  LOG_STEP = 5,
  LOG_QUEUE_CREATED = 6,
  LOG_MUTEX_CREATED = 7,
  LOG_QUEUE_SEND = 8,
  LOG_QUEUE_SEND_FROM_ISR = 9,
  LOG_QUEUE_SEND_FROM_ISR_FAILED = 10,
  LOG_QUEUE_RECEIVE = 11,
  LOG_QUEUE_RECEIVE_FAILED = 12,
  LOG_BLOCK_ON_SEND = 13,
  LOG_BLOCK_ON_RECEIVE = 14,
  LOG_TASK_CREATED = 15,
  LOG_TASK_DELETED = 16,
  LOG_TASK_READY = 17,
  LOG_DELAY = 18,
  LOG_DELAY_UNTIL = 19,
  LOG_SUSPENDED = 20,
  LOG_RESUMED = 21,
  LOG_PRIORITY_SET = 22,
  LOG_PRIORITY_INHERIT = 23,
  LOG_PRIORITY_DISINHERIT = 24,
  LOG_AFFINITY_SET = 25,
  LOG_NOTIFY_GIVE_FROM_ISR = 26,
  LOG_BLOCK_ON_NOTIFY_TAKE = 27,
  LOG_NOTIFY_TAKE = 28,
  LOG_MALLOC = 29,
  LOG_FREE = 30,
  /* State of the recording: about to be stopped; started; stopped because it was full. */
  LOG_STOPS = 62,
  LOG_STARTED = 63,
  LOG_FULL = 64,
};

/* Recorded and written down. Any context. */
void record_value(uint32_t id, int32_t value);
/* A text that follows from the step. */
void record_step(uint32_t id, uint32_t step);
/* Interrupts off. */
void record_isr_enter(uint32_t id);
void record_isr_exit(uint32_t id);

/* Call it with interrupts disabled. No effect without APP_LOG. */
void log_append(enum log_kind kind, uint32_t a, uint32_t b);

/* Sends the new entries to the files log0.bin, log1.bin … of the cores. One task. No effect without APP_LOG. */
void log_send(void);
/* Sends all entries that exist at the time of the call; cores may add more during it. */
void log_finish(void);
/* Fill level of the fullest log, in eighths. */
uint32_t log_eighths(void);

#endif /* LOG_H_ */
