/* See older.h; and the memory of the kernel's own tasks, which V10.6 can provide itself. */
#include "older.h"

/* No tick is counted between the look and the call; the switch comes when the critical section ends. */
BaseType_t old_kernel_delay_until(TickType_t *previous, TickType_t period) {
  taskENTER_CRITICAL();
  const TickType_t left = *previous + period - xTaskGetTickCount();
  vTaskDelayUntil(previous, period);
  taskEXIT_CRITICAL();
  return ((left > 0U) && (left <= period)) ? pdTRUE : pdFALSE;
}

UBaseType_t old_kernel_base_priority(TaskHandle_t task) {
  TaskStatus_t status;
  vTaskGetInfo(task, &status, pdFALSE, eRunning);
  return status.uxBasePriority;
}

void vApplicationGetIdleTaskMemory(StaticTask_t **tcb, StackType_t **stack, uint32_t *stack_words);
void vApplicationGetTimerTaskMemory(StaticTask_t **tcb, StackType_t **stack, uint32_t *stack_words);

void vApplicationGetIdleTaskMemory(StaticTask_t **tcb, StackType_t **stack, uint32_t *stack_words) {
  static StaticTask_t idle_tcb;
  static StackType_t idle_stack[configMINIMAL_STACK_SIZE];
  *tcb = &idle_tcb;
  *stack = idle_stack;
  *stack_words = configMINIMAL_STACK_SIZE;
}

void vApplicationGetTimerTaskMemory(StaticTask_t **tcb, StackType_t **stack, uint32_t *stack_words) {
  static StaticTask_t timer_tcb;
  static StackType_t timer_stack[configTIMER_TASK_STACK_DEPTH];
  *tcb = &timer_tcb;
  *stack = timer_stack;
  *stack_words = configTIMER_TASK_STACK_DEPTH;
}
