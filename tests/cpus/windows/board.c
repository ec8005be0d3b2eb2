/* A process of Windows: files, and the tick. */
#include <stdio.h>

#include "FreeRTOS.h"
#include "task.h"

#include "board.h"
#include "tband.h"

volatile uint32_t board_ticks;
static FILE *file;

void board_send(const void *data, size_t len) {
  if (file == NULL) {
    file = fopen("trace.bin", "wb");
  }
  if ((file == NULL) || (fwrite(data, 1, len, file) != len)) {
    board_say("board: cannot write trace.bin\n");
    board_exit(1);
  }
}
void board_say(const char *text) { fputs(text, stderr); }
void board_say_number(uint32_t number) { fprintf(stderr, " %lu", (unsigned long)number); }
void board_exit(int code) {
  if ((file != NULL) && (fclose(file) != 0)) {
    code = 1;
  }
  ExitProcess((UINT)code);
}

/* In the kernel's thread of simulated interrupts, where the number of the tick is 1. */
void vApplicationTickHook(void) {
  tband_isr_enter(portINTERRUPT_TICK);
  board_ticks++;
  tband_isr_exit(portINTERRUPT_TICK);
}
