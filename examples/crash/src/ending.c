/*
 * The end of the firmware: handlers of faults, the kernel's hooks, the watchdog, and the recording after the reset.
 *
 * Each way to the end has one line for tband; what the firmware itself does about it is ending().
 */
#include "ending.h"

#include "FreeRTOS.h"
#include "board.h"
#include "semihost.h"
#include "task.h"

#define AIRCR      (*(volatile uint32_t *)0xE000ED0CUL)
#define AIRCR_RESET (0x05FA0000UL | (1UL << 2))

/* The board's watchdog: an interrupt, NMI, when it has counted down once, and a reset when twice. */
#define WATCHDOG_LOAD      (*(volatile uint32_t *)0x40008000UL)
#define WATCHDOG_CONTROL   (*(volatile uint32_t *)0x40008008UL)
#define WATCHDOG_CLEAR     (*(volatile uint32_t *)0x4000800CUL)
#define WATCHDOG_WARNS     (1UL << 0)
#define WATCHDOG_RESETS    (1UL << 1)

/* Location for the debugger's breakpoint. */
void ending_halted(void);
__attribute__((noinline)) void ending_halted(void) {
  for (;;) {
    __asm volatile("nop");
  }
}

void ending(void) {
  board_interrupts_off();
#if HALT
  WATCHDOG_CONTROL = 0;
  ending_halted();
#endif
  AIRCR = AIRCR_RESET;
  for (;;) {
  }
}

/* --- Faults: HardFault has the others too, as long as they are not enabled ---------------------- */

TBAND_FAULT_HANDLER(HardFault_Handler, ending)

/* --- The kernel's hooks ------------------------------------------------------------------------- */

void vApplicationStackOverflowHook(TaskHandle_t task, char *name);
void vApplicationStackOverflowHook(TaskHandle_t task, char *name) {
  (void)task;
  tband_fault_stack_overflow(name);
  ending();
}

void vApplicationMallocFailedHook(void);
void vApplicationMallocFailedHook(void) {
  tband_fault_malloc_failed();
  ending();
}

/* --- The watchdog: a warning first, by NMI, and then the reset ------------------------------------ */

/* The interrupted code may be recording, so execution must not continue after it. */
TBAND_WATCHDOG_HANDLER(NMI_Handler, ending)

void watchdog_start(unsigned ms) {
  WATCHDOG_LOAD = ms * (BOARD_CLOCK_HZ / 1000U);
  WATCHDOG_CONTROL = WATCHDOG_WARNS | WATCHDOG_RESETS;
}

void watchdog_feed(void) { WATCHDOG_CLEAR = 1; }

/* --- After the reset ------------------------------------------------------------------------------ */

bool ending_was_recorded(void) {
  static uint8_t buf[256];
  size_t len;
  if (!tband_post_mortem_available()) {
    return false;
  }
  const int file = semihost_create("trace.bin");
  while ((len = tband_stream_read(buf, sizeof buf)) > 0) {
    (void)semihost_write(file, buf, len);
  }
  (void)semihost_close(file);
  (void)tband_clear_post_mortem();
  return true;
}
