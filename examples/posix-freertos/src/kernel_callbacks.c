/*
 * Functions that the kernel needs from every program with this configuration: memory for its own
 * tasks, and handlers for errors.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "FreeRTOS.h"
#include "task.h"
#include "tband_posix.h"

void vApplicationGetIdleTaskMemory(StaticTask_t **tcb, StackType_t **stack,
                                   configSTACK_DEPTH_TYPE *stack_words);
void vApplicationGetTimerTaskMemory(StaticTask_t **tcb, StackType_t **stack,
                                    configSTACK_DEPTH_TYPE *stack_words);
void vApplicationMallocFailedHook(void);
void vApplicationStackOverflowHook(TaskHandle_t task, char *name);

void vApplicationGetIdleTaskMemory(StaticTask_t **tcb, StackType_t **stack,
                                   configSTACK_DEPTH_TYPE *stack_words) {
  static StaticTask_t idle_tcb;
  static StackType_t idle_stack[configMINIMAL_STACK_SIZE];
  *tcb = &idle_tcb;
  *stack = idle_stack;
  *stack_words = configMINIMAL_STACK_SIZE;
}

void vApplicationGetTimerTaskMemory(StaticTask_t **tcb, StackType_t **stack,
                                    configSTACK_DEPTH_TYPE *stack_words) {
  static StaticTask_t timer_tcb;
  static StackType_t timer_stack[configTIMER_TASK_STACK_DEPTH];
  *tcb = &timer_tcb;
  *stack = timer_stack;
  *stack_words = configTIMER_TASK_STACK_DEPTH;
}

/* Callable in any context: no stdio streams, whose locks another task may hold. */
void example_assert_failed(const char *file, int line) {
  char text[256];
  const int n = snprintf(text, sizeof text, "%s:%d: assertion failed\n", file, line);
  if (n > 0) {
    const ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
  }
  taskDISABLE_INTERRUPTS();
  (void)tband_posix_flush(); /* keep the recording up to here */
  abort();
}

void vApplicationMallocFailedHook(void) { configASSERT(!"out of heap"); }

void vApplicationStackOverflowHook(TaskHandle_t task, char *name) {
  (void)task;
  (void)name;
  configASSERT(!"stack overflow");
}
