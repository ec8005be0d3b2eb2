/* What the programs share. All times are in us or ms, of the board's clock. */
#ifndef FINDINGS_H_
#define FINDINGS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "FreeRTOS.h"
#include "board.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"
#include "timers.h"

/* More urgent than all tasks of a program: the task that starts and ends the recording. */
enum { LOW = 1, MIDDLE, HIGH, HIGHEST, CONTROLLER = configMAX_PRIORITIES - 1 };

/* Keeps the core busy for so long, without the time that others take from the task. */
void work(uint32_t us);
TaskHandle_t create(TaskFunction_t code, const char *name, UBaseType_t priority);
/* A mutex and a binary semaphore that is given, with a name in the recording. */
SemaphoreHandle_t create_mutex(const char *name);
SemaphoreHandle_t create_lock(const char *name);
void take(SemaphoreHandle_t lock);
void give(SemaphoreHandle_t lock);
/* Waits for good: a task of FreeRTOS must not return. */
__attribute__((noreturn)) void finish(void);
/* Called in the interrupt of the board's timer 0. */
extern void (*on_timer)(void);

#define PROGRAM(name, ms) void name(void);
#include "programs.h"
#undef PROGRAM

#endif /* FINDINGS_H_ */
