/* Hooks of the kernel that no test firmware reaches. Defined where this is included, once in a program. */
#ifndef KERNEL_FAILURES_H
#define KERNEL_FAILURES_H

#include "FreeRTOS.h"
#include "task.h"

#include "check.h"

void vApplicationMallocFailedHook(void);
void vApplicationMallocFailedHook(void) { CHECK(!"out of heap"); }
void vApplicationStackOverflowHook(TaskHandle_t task, char *name);
void vApplicationStackOverflowHook(TaskHandle_t task, char *name) {
  (void)task;
  (void)name;
  CHECK(!"stack overflow");
}

#endif /* KERNEL_FAILURES_H */
