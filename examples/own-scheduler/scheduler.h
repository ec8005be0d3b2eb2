/* A cooperative scheduler: a task is a function that runs until it returns. */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct queue {
  uint32_t number; /* for the recording */
  uint32_t level;
  uint32_t waits; /* a task, or 0 */
} queue;

/* Returns the number of the task, from 1 on. Task 1 is the idle task. */
uint32_t spawn(const char *name, uint32_t priority, void (*step)(void));
void wake(uint32_t task);
/* For the running task, which returns after calling one of them. */
void sleep_until_woken(void);
void end(void);
void create(queue *it, const char *name);
void put(queue *it);
/* Returns false if the queue is empty; then the task waits. */
bool take(queue *it);
/* Runs the ready task of the highest priority. False: it was the idle task. */
bool dispatch(void);

/* Logs an action of the scheduler, to check the recording. */
void note(const char *what, uint32_t which);

#endif
