/* The firmware's own ends, and what the recorder needs of it. */
#include "tband.h"

volatile unsigned reached;
void my_fault(void);
void my_watchdog(void);
void start(void);

void my_fault(void) { reached = 1; }
void my_watchdog(void) { reached = 2; }
void start(void) {
  (void)tband_start_streaming();
  for (;;) {
  }
}
