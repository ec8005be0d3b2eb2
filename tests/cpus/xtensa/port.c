/* The part of the kernel's port that is not in start.S and board.c. */
#include "FreeRTOS.h"
#include "task.h"

#include "board.h"
#include "frame.h"

/* The task begins with the entry instruction of its function, as after a call4 with one argument. */
StackType_t *pxPortInitialiseStack(StackType_t *top, TaskFunction_t function, void *argument) {
  const uint32_t stack = (uint32_t)top & ~15U;
  struct frame *frame = (struct frame *)(stack - 112U);
  *frame = (struct frame){0};
  frame->a[1] = stack;
  frame->a[6] = (uint32_t)argument;
  frame->pc = (uint32_t)function;
  frame->ps = FRAME_PS_WOE | FRAME_PS_CALLINC_1 | FRAME_PS_EXCM;
  return (StackType_t *)frame;
}

BaseType_t xPortStartScheduler(void) {
  board_start_timer();
  portYIELD();
  return pdFALSE;
}

void vPortEndScheduler(void) {}
