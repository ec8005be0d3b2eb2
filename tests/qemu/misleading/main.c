/* Crashes whose registers and stack suggest a wrong function; CRASH selects one. After the crash the program stops in
 * hold(). With VALUES nothing crashes: a trigger freezes the recording; without triggers it is still on when a debugger
 * reads it. */
#include "board.h"
#include "tband.h"

uint32_t now;

enum { UNSIZED = 1, SMASHED, TAIL_CALL, RETURNED, SELF_TEST, CALLBACK, TAIL_CALLED, ARGUMENTS, IN_RUST };

void hold(void);
__attribute__((noinline)) void hold(void) {
  for (;;) {
    __asm volatile("nop");
  }
}

static volatile uint32_t tests;
static volatile uint32_t nowhere = 0x60000000U;
static void (*volatile wrong)(void) = (void (*)(void))0x30000001U;

__attribute__((noinline)) static void read_from(uint32_t address) { tests = *(volatile uint32_t *)address; }

/* What fails; a self-test calls it with an address that is right. */
__attribute__((noinline)) static uint32_t measure(uint32_t address) {
  volatile uint32_t sums[4] = {0};
  read_from(address);
  sums[address & 3U] = address;
  return sums[0] + 1U;
}

__attribute__((noinline)) static uint32_t sensor_loop(uint32_t address) { return measure(address) + 1U; }
__attribute__((noinline)) static uint32_t self_test(uint32_t address) { return measure(address) + 2U; }

/* After the crash, with the stack pointer where it was: what a reset and a self-test leave. */
void after_crash(void);
void after_crash(void) {
#if CRASH == SELF_TEST
  tests = self_test((uint32_t)(uintptr_t)&tests);
#endif
  hold();
}

/* The stack as after a reset. */
extern uint32_t board_stack_top[];
void ending(void);
__attribute__((naked)) void ending(void) {
  __asm volatile("ldr r0, =board_stack_top\n\tsub r0, #16\n\tmov sp, r0\n\tb after_crash\n\t.ltorg");
}

TBAND_FAULT_HANDLER(HardFault_Handler, ending)

/* Without a size, as assembler code often is. */
void copy_words(uint32_t address);
__asm(".text\n\t.balign 4\n\t.global copy_words\n\t.thumb_func\ncopy_words:\n\tnop\n\tldr r0, [r0]\n\tbx lr\n");

__attribute__((noinline)) static void helper(void) { tests++; }

/* Returns to where nothing is: a text that was too long has overwritten the address. */
void smashes(void);
__attribute__((naked)) void smashes(void) {
  __asm volatile(
      "push {r4, lr}\n\tldr r4, =0x41414141\n\tstr r4, [sp, #4]\n\tbl smash_helper\n\tpop {r4, pc}\n\t.ltorg");
}
void smash_helper(void);
void smash_helper(void) { helper(); }

/* Has called something that has returned, and then jumps to where nothing is. */
__attribute__((noinline)) static void tail_calls(void) {
  helper();
  wrong();
}

static uint32_t (*volatile callback)(uint32_t) = measure;
__attribute__((noinline)) static uint32_t dispatch(uint32_t address) { return callback(address) + 1U; }

/* Ends with a jump to measure(). */
__attribute__((noinline)) static uint32_t forwards(uint32_t address) {
  helper();
  return measure(address);
}
__attribute__((noinline)) static uint32_t forwards_to(uint32_t address) { return forwards(address) + 3U; }

/* Uses the stack after the recording, below the frames of its callers. */
__attribute__((noinline)) void print(int a, int b, int c, int d, volatile uint32_t e, volatile uint32_t f);
void print(int a, int b, int c, int d, volatile uint32_t e, volatile uint32_t f) {
  tests = (uint32_t)(a + b + c + d) + e + f;
}
__attribute__((noinline)) static uint32_t asserts(uint32_t value) {
  tband_fault_assert("misleading.c", 7);
  print(1, 2, 3, 4, value, tests);
  hold();
  return value;
}
__attribute__((noinline)) static uint32_t checks(uint32_t value) { return asserts(value) + 1U; }

#if CRASH == 9
/* Of tests/rust_panics. */
uint32_t rust_panics(uint32_t way, uint32_t value);
#endif

int main(void) {
  tband_gather_system_metadata();
  (void)tband_start_post_mortem();
  tband_evtmarker(0, "begins");
#if defined(VALUES)
#if tband_configUSE_TRIGGERS
  (void)tband_trigger_value(1, TBAND_TRIGGER_AT_LEAST, VALUES - 20, 1, 10);
#endif
  tband_valmarker_name(1, "value");
  for (int32_t value = 0; value < VALUES; value++) {
    tband_valmarker(1, value);
  }
  /* A packet gets its checksum in each. */
  for (uint32_t turn = 0; turn < 20U; turn++) {
    tband_keep_time();
  }
  hold();
#endif
  const uint32_t address = nowhere;
  switch (CRASH) {
    case UNSIZED:
      copy_words(address);
      break;
    case SMASHED:
      smashes();
      break;
    case TAIL_CALL:
      tail_calls();
      break;
    case RETURNED:
      helper();
      ((void (*)(void))(uintptr_t)wrong)();
      break;
    case SELF_TEST:
      tests = sensor_loop(address);
      break;
    case CALLBACK:
      tests = dispatch(address);
      break;
    case TAIL_CALLED:
      tests = forwards_to(address);
      break;
    case ARGUMENTS:
      tests = checks(address);
      break;
#if CRASH == 9
    case IN_RUST:
      tests = rust_panics(WAY, nowhere >> 28U);
      break;
#endif
    default:
      break;
  }
  return 0;
}
