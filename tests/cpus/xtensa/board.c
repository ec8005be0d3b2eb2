/* An Xtensa core on QEMU's machine `sim`: its first timer is interrupt 6 of level 1. */
#include "board.h"
#include "frame.h"
#include "semihost.h"
#include "tband.h"

#ifdef APP_RTOS
#include "FreeRTOS.h"
#include "task.h"
#define TICK_CYCLES (configCPU_CLOCK_HZ / configTICK_RATE_HZ)
extern struct frame *volatile *volatile pxCurrentTCB;

static BaseType_t is_switch_due;
void FreeRTOS_Tick_Handler(void) { is_switch_due = xTaskIncrementTick(); }
#else
/* No multiple of a round's cycles: the interrupts come at different instructions of the recorder. */
#define TICK_CYCLES 1009U
#endif

enum { CAUSE_SYSCALL = 1, CAUSE_INTERRUPT = 4, TIMER = 6 };

static uint32_t cycles(void) {
  uint32_t now;
  __asm volatile("rsr %0, ccount" : "=r"(now));
  return now;
}

static void wait_for(uint32_t cycle) { __asm volatile("wsr %0, ccompare0\n\tesync" : : "r"(cycle)); }

void board_start_timer(void) {
  wait_for(cycles() + TICK_CYCLES);
  __asm volatile("wsr %0, intenable\n\trsync" : : "r"(1U << TIMER));
}

void board_stop_timer(void) { __asm volatile("wsr %0, intenable\n\trsync" : : "r"(0)); }

#ifndef APP_RTOS
void board_tick(uint32_t number) {
  tband_isr_enter(number);
  board_ticks++;
  tband_isr_exit(number);
}
#endif

struct frame *board_exception(struct frame *frame);
struct frame *board_exception(struct frame *frame) {
  if (frame->cause == CAUSE_INTERRUPT) {
    wait_for(cycles() + TICK_CYCLES);
    board_tick(TIMER);
#ifdef APP_RTOS
    if (is_switch_due == pdFALSE) {
      return frame;
    }
  } else if (frame->cause == CAUSE_SYSCALL) {
    frame->pc += 3;
  } else {
    semihost_print("board: fault\n");
    semihost_exit(2);
  }
  static bool has_started;
  if (has_started) {
    *pxCurrentTCB = frame;
    vTaskSwitchContext();
  }
  has_started = true;
  return *pxCurrentTCB;
#else
    return frame;
  }
  semihost_print("board: fault\n");
  semihost_exit(2);
#endif
}
