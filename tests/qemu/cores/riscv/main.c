/*
 * Test firmware for the RISC-V port: the loop raises a software interrupt, whose
 * handler lets a timer interrupt nest every second time. All record and count.
 *
 * Recording must leave the interrupt switch as it was: each handler looks whether
 * it is still off after an event, with an interrupt waiting.
 */
#include "board.h"
#include "record.h"
#include "recording.h"

#define MSIP (*(volatile uint32_t *)0x02000000UL)
#define MTIMECMP ((volatile uint32_t *)0x02004000UL)

enum { SOFTWARE = 3, TIMER = 7 }; /* codes in mcause */
enum { MSTATUS_MIE = 8 };
enum { EVT_ROUND = 1, EVT_NESTED = 2, VAL_ROUND = 1, ROUNDS = 6 };

static volatile int32_t round_number;
static volatile bool handled;

static uint32_t mstatus(void) {
  uint32_t value;
  __asm volatile("csrr %0, mstatus" : "=r"(value));
  return value;
}

static void expect_interrupts_off(void) {
  if ((mstatus() & MSTATUS_MIE) != 0) {
    board_failed("recording turned interrupts on", __FILE__, __LINE__);
  }
}

static void timer_handler(void) {
  rec_isr_enter(TIMER);
  MTIMECMP[1] = UINT32_MAX;
  rec_evtmarker(EVT_NESTED, "inside");
  rec_isr_exit(TIMER);
}

static void software_handler(void) {
  MSIP = 0;
  const bool nests = round_number % 2 != 0;
  if (nests) {
    MTIMECMP[0] = 0;
    MTIMECMP[1] = 0; /* has passed: waits until interrupts are on */
  }
  rec_isr_enter(SOFTWARE);
  rec_valmarker(VAL_ROUND, round_number);
  expect_interrupts_off();
  if (nests) {
    uint32_t mepc;
    uint32_t saved;
    __asm volatile("csrr %0, mepc" : "=r"(mepc));
    __asm volatile("csrr %0, mstatus" : "=r"(saved));
    __asm volatile("csrsi mstatus, 8\n\tnop\n\tcsrci mstatus, 8" ::: "memory");
    __asm volatile("csrw mepc, %0" ::"r"(mepc));
    __asm volatile("csrw mstatus, %0" ::"r"(saved));
  }
  rec_isr_exit(SOFTWARE);
  handled = true;
}

__attribute__((interrupt("machine"), aligned(4))) static void trap(void) {
  uint32_t cause;
  __asm volatile("csrr %0, mcause" : "=r"(cause));
  if (cause == (0x80000000U | SOFTWARE)) {
    software_handler();
  } else if (cause == (0x80000000U | TIMER)) {
    timer_handler();
  } else {
    board_failed("unexpected trap", __FILE__, __LINE__);
  }
}

int main(void) {
  rec_isr_name(SOFTWARE, "software");
  rec_isr_name(TIMER, "timer");
  rec_evtmarker_name(EVT_ROUND, "round");
  rec_evtmarker_name(EVT_NESTED, "nested");
  rec_valmarker_name(VAL_ROUND, "number");
  if (!recording_start()) {
    board_failed("the recording did not start", __FILE__, __LINE__);
  }
  __asm volatile("csrw mtvec, %0" ::"r"(trap));
  __asm volatile("csrw mie, %0" ::"r"((1U << SOFTWARE) | (1U << TIMER)));
  MTIMECMP[1] = UINT32_MAX;
  __asm volatile("csrsi mstatus, 8" ::: "memory");
  for (int32_t i = 0; i < ROUNDS; i++) {
    rec_evtmarker_begin(EVT_ROUND, "waits");
    round_number = i;
    handled = false;
    MSIP = 1;
    while (!handled) {
    }
    rec_evtmarker_end(EVT_ROUND);
    if ((mstatus() & MSTATUS_MIE) == 0) {
      board_failed("recording left interrupts off", __FILE__, __LINE__);
    }
  }
  if (!recording_stop() || !recording_save() || !rec_write_truth("truth.json", 0)) {
    board_failed("the recording is incomplete", __FILE__, __LINE__);
  }
  return 0;
}
