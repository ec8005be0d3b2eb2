#include "board.h"

#ifdef APP_RTOS
#include "FreeRTOS.h"
#include "task.h"
#include "tband.h"
/* The kernel's trap handler calls it for each tick. */
void vApplicationTickHook(void) {
  tband_isr_enter(7);
  board_ticks++;
  tband_isr_exit(7);
}
#endif
