/*
 * The application: tasks that are bound to a core and tasks that run anywhere, which keep all cores busy with each
 * other.
 *
 *   bound N     one for each core: passes a token on to the next core, so each hop wakes a task on another core
 *   free N      contend for a mutex, and ring the bell of another core by a software interrupt
 *   bell        is notified by that interrupt, on whatever core it came
 *   samples     receives what the timer interrupts of all cores send
 *   sheep       computes; the shepherd moves it from core to core, suspends and resumes it, changes its priority
 *   shepherd    does that, and creates tasks that end by themselves
 *   recorder    sends the recording, stops it in the end, and ends the program
 */
#ifndef APP_H_
#define APP_H_

#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"

enum { CORES = configNUMBER_OF_CORES };

/* Ids of interrupts. Those of the core are their codes in mcause. */
enum { ISR_SOFTWARE = 3, ISR_TIMER = 7, ISR_BELL = 16 };
/* Ids of markers. */
enum { VAL_ROUND = 1, VAL_WORK = 2, VAL_TIMER = 3, EVT_STEP = 1, EVT_YOUNG = 2 };
/* Reasons of software interrupts; bit 0 is the kernel's. */
enum { REASON_BELL = 2 };

void app_name_things(void);
void app_create_bound_tasks(void);
void app_create_free_tasks(void);
/* On the core itself: its timer interrupt from now on. That of configTICK_CORE is the kernel's. */
void app_start_timer(BaseType_t core);
/* All bound tasks have had their rounds. */
bool app_is_done(void);
/* Keeps the core busy for so many microseconds. */
void app_compute(uint32_t microseconds);

extern QueueHandle_t app_samples; /* values that the timer interrupts send */
extern TaskHandle_t app_bell;

#endif /* APP_H_ */
