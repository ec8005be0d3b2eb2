/* QEMU's machine `sim` for Cadence's port, which has the handlers of exceptions and interrupts. */
#include "FreeRTOS.h"
#include "task.h"
#include "xtensa_api.h"

#include "board.h"
#include "semihost.h"
#include "tband.h"

static xt_handler tick_handler;
void FreeRTOS_Tick_Handler(void) { tick_handler(NULL); }

static void record_tick(void *number) { board_tick((uint32_t)number); }

/* The linker puts it in place of the port's function (--wrap): the tick's handler is the only one, and is recorded. */
xt_handler __real_xt_set_interrupt_handler(uint32_t number, xt_handler handler, void *argument);
xt_handler __wrap_xt_set_interrupt_handler(uint32_t number, xt_handler handler, void *argument);
xt_handler __wrap_xt_set_interrupt_handler(uint32_t number, xt_handler handler, void *argument) {
  (void)argument;
  tick_handler = handler;
  return __real_xt_set_interrupt_handler(number, record_tick, (void *)number);
}

/* The port's handlers of unexpected exceptions and interrupts call it. */
void exit(int code) {
  (void)code;
  semihost_print("board: fault\n");
  semihost_exit(2);
}
