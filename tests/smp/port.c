/* Two simulated cores for the real SMP kernel, in one thread, so that a run is the same each time.
 *
 * Each task has a context with a separate stack, and each core remembers where it was. A core gives way to
 * the other after some turns, and while it waits for a lock. Turns are the moments when interrupts become
 * possible: then the core takes its tick and the requested switches. So cores change only where real ones
 * could be interrupted. The port notes each switch for a comparison with the events of the hooks. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "FreeRTOS.h"
#include "task.h"
#include "simulation.h"

enum { NO_OWNER = -1, TURNS_PER_TICK = 50, TURNS_PER_CORE = 7, STACK_SIZE = 256 * 1024 };

typedef struct {
  ucontext_t context;
  TaskFunction_t function;
  void *parameter;
} simulated_task;

volatile BaseType_t simulated_core;
volatile UBaseType_t simulated_nesting[configNUMBER_OF_CORES];
char simulated_switches[1U << 20];

/* The kernel's; the first word of what it points to is the task's stack pointer. */
extern StackType_t **volatile pxCurrentTCBs[configNUMBER_OF_CORES];

static ucontext_t cores[configNUMBER_OF_CORES];
static volatile bool is_running, is_masked[configNUMBER_OF_CORES], is_in_interrupt[configNUMBER_OF_CORES];
static volatile bool is_asked_to_yield[configNUMBER_OF_CORES];
static volatile int lock_owner[2] = {NO_OWNER, NO_OWNER};
static volatile unsigned lock_count[2];
static volatile unsigned turn;

void simulation_failed(const char *what, const char *file, int line) {
  (void)fprintf(stderr, "%s:%d: not true: %s (core %ld)\n", file, line, what, simulated_core);
  exit(1);
}

/* ---- Cores ---------------------------------------------------------------------------------- */

static simulated_task *task_on(BaseType_t core) { return *(simulated_task **)*pxCurrentTCBs[core]; }

static void give_way_to_the_other_core(void) {
  const BaseType_t from = simulated_core;
  const BaseType_t to = 1 - from;
  simulated_core = to;
  configASSERT(swapcontext(&cores[from], &cores[to]) == 0);
}

static void note_switch(BaseType_t core) {
  static size_t used;
  used += (size_t)snprintf(&simulated_switches[used], sizeof(simulated_switches) - used, "%ld %s\n", core,
                           pcTaskGetName((TaskHandle_t)(void *)pxCurrentTCBs[core]));
  configASSERT(used < sizeof(simulated_switches));
}

static void switch_task(void) {
  const BaseType_t core = simulated_core;
  simulated_task *const before = task_on(core);
  is_masked[core] = true;
  vTaskSwitchContext(core);
  simulated_task *const after = task_on(core);
  if (after != before) {
    note_switch(core);
    configASSERT(swapcontext(&before->context, &after->context) == 0);
  }
  /* This task continues, maybe on the other core. */
  is_masked[simulated_core] = false;
}

static void tick(void) {
  is_in_interrupt[0] = true;
  const UBaseType_t before = portENTER_CRITICAL_FROM_ISR();
  if (xTaskIncrementTick() != pdFALSE) {
    is_asked_to_yield[0] = true;
  }
  portEXIT_CRITICAL_FROM_ISR(before);
  is_in_interrupt[0] = false;
}

/* Interrupts are possible here, if nothing forbids them. */
static void take_turn(void) {
  bool was_away = true;
  while (was_away) {
    was_away = false;
    if (!is_running || is_masked[simulated_core] || is_in_interrupt[simulated_core] ||
        (simulated_nesting[simulated_core] != 0U)) {
      return;
    }
    turn++;
    if ((simulated_core == 0) && (turn % TURNS_PER_TICK == 0U)) {
      tick();
    }
    if (is_asked_to_yield[simulated_core]) {
      is_asked_to_yield[simulated_core] = false;
      switch_task();
    } else if (turn % TURNS_PER_CORE == 0U) {
      give_way_to_the_other_core();
      was_away = true;
    }
  }
}

void vApplicationIdleHook(void) { take_turn(); }
void vApplicationPassiveIdleHook(void) { take_turn(); }

/* ---- What the kernel asks of a port ----------------------------------------------------------- */

void simulation_yield(BaseType_t core) {
  is_asked_to_yield[core] = true;
  take_turn();
}

UBaseType_t simulation_mask(void) {
  const UBaseType_t before = is_masked[simulated_core] ? 1U : 0U;
  is_masked[simulated_core] = true;
  return before;
}

void simulation_unmask(UBaseType_t before) {
  is_masked[simulated_core] = before != 0U;
  take_turn();
}

BaseType_t simulation_is_in_interrupt(void) { return is_in_interrupt[simulated_core] ? pdTRUE : pdFALSE; }

void simulation_lock(int lock, BaseType_t core) {
  while ((lock_owner[lock] != NO_OWNER) && (lock_owner[lock] != core)) {
    give_way_to_the_other_core();
  }
  lock_owner[lock] = (int)core;
  lock_count[lock]++;
}

void simulation_unlock(int lock, BaseType_t core) {
  configASSERT((lock_owner[lock] == core) && (lock_count[lock] > 0U));
  lock_count[lock]--;
  if (lock_count[lock] == 0U) {
    lock_owner[lock] = NO_OWNER;
  }
}

static void run_task(void) {
  simulated_task *const task = task_on(simulated_core);
  simulation_unmask(0);
  task->function(task->parameter);
  configASSERT(!"a task returned");
}

StackType_t *pxPortInitialiseStack(StackType_t *pxTopOfStack, TaskFunction_t pxCode, void *pvParameters) {
  simulated_task *const task = calloc(1, sizeof(simulated_task));
  configASSERT(task != NULL);
  task->function = pxCode;
  task->parameter = pvParameters;
  configASSERT(getcontext(&task->context) == 0);
  task->context.uc_stack.ss_size = STACK_SIZE;
  task->context.uc_stack.ss_sp = malloc(STACK_SIZE);
  configASSERT(task->context.uc_stack.ss_sp != NULL);
  makecontext(&task->context, run_task, 0);
  pxTopOfStack--;
  *pxTopOfStack = (StackType_t)task;
  return pxTopOfStack;
}

static void start_core(void) { (void)setcontext(&task_on(simulated_core)->context); }

BaseType_t xPortStartScheduler(void) {
  static uint8_t stack[STACK_SIZE];
  for (BaseType_t core = 0; core < configNUMBER_OF_CORES; core++) {
    note_switch(core);
  }
  configASSERT(getcontext(&cores[1]) == 0);
  cores[1].uc_stack.ss_sp = stack;
  cores[1].uc_stack.ss_size = sizeof(stack);
  makecontext(&cores[1], start_core, 0);
  is_running = true;
  start_core();
  return pdFALSE;
}

void vPortEndScheduler(void) {}
