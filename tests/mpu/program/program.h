/* What the tasks of the program share. The worker has no privileges: of all memory it may touch its stack and
 * `shared`. */
#ifndef PROGRAM_H_
#define PROGRAM_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "FreeRTOS.h"
#include "event_groups.h"
#include "queue.h"
#include "stream_buffer.h"
#include "task.h"
#include "timers.h"

enum { ROUNDS = 20 };
enum { MARKER_BOSS = 1, MARKER_TICK = 2, MARKER_TIMER = 3, MARKER_WORKER = 4 };
enum { SHARED_SIZE = 32768 };

struct shared {
  QueueHandle_t jobs;
  StreamBufferHandle_t results;
  EventGroupHandle_t done;
  TimerHandle_t timer;
  /* Of these the worker may use none, if tasks have lists of what they may use. */
  QueueHandle_t own_queue;
  StreamBufferHandle_t own_buffer;
  EventGroupHandle_t own_group;
  TaskHandle_t boss;
  volatile bool tick_is_wanted;
  /* Calls of the recorder that the worker was refused, as it counts them. */
  uint32_t refused;
  uint32_t failures;
  size_t len;
  char text[SHARED_SIZE - 64];
};
extern struct shared shared;

/* One line of what the recording must have, an event without its time; each %u is a uint32_t. Any task. */
void expect(const char *format, ...);

/* Ends the program if what happened is not what must; of the worker it is only counted. */
#define CHECK(condition) \
  ((condition) ? (void)0 : board_failed("wrong: " #condition, __FILE__, __LINE__))
#define CHECK_BY_WORKER(condition) ((condition) ? (void)0 : (void)shared.failures++)

void worker(void *parameter);

/* Reads a word; 0xFA171 if that is forbidden. Any task. */
uint32_t probe(const volatile void *address);
enum { FORBIDDEN = 0xFA171 };

#endif /* PROGRAM_H_ */
