#include "board.h"
#include "semihost.h"
volatile uint32_t board_ticks;
static int file = -1;
void board_send(const void *data, size_t len) {
  if (file < 0) {
    file = semihost_create("trace.bin", 9);
  }
  (void)semihost_write(file, data, len);
}
void board_say(const char *text) { semihost_say(text); }
void board_exit(int code) { semihost_exit(code); }
void board_fault(void);
void board_fault(void) {
  semihost_say("board: fault\n");
  semihost_exit(2);
}

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
