/* Interrupts that come between any two instructions of the hooks, as they are compiled for users: the
 * program runs its own hooks step by step, and calls the next handler from the trap.
 *
 * Writes the stream to stdout. The reported interrupts, in the order of the critical sections, go to the file
 * that the first argument names, one line each: e, x or s for enter, exit and exit to the scheduler, core and
 * number; lines that begin with # are counts that the program makes. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "FreeRTOS.h"
#include "tband.h"

#define CHECK(x) ((x) ? (void)0 : failed(#x, __LINE__))
static void failed(const char *what, int line) {
  fprintf(stderr, "line %d: %s\n", line, what);
  exit(1);
}

/* ---- Reports -------------------------------------------------------------------------------------- */

volatile uint32_t test_isr; /* of the handler that runs: the port's answer */
uint32_t port_core;
static FILE *told;
static const char *volatile telling; /* the hook that runs, until it has had its critical section */

static void tell(void) {
  fprintf(told, "%s %u %u\n", telling, (unsigned)port_core, (unsigned)test_isr);
  telling = NULL;
}

/* ---- Steps ---------------------------------------------------------------------------------- */

enum { DEPTH = 3 };

static uint32_t depth; /* handlers that run, one inside the other */
static volatile bool masked;
static volatile bool stepping;

static void handle(void);

#if defined(__x86_64__) && defined(__linux__)
static void step(bool on) {
  stepping = on;
  if (on) {
    __asm volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc");
  } else {
    __asm volatile("pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc");
  }
}

/* After each instruction. The kernel clears the flag for the handler itself. */
static void trap(int signal) {
  (void)signal;
  if (masked) {
    return;
  }
  const uint32_t number = test_isr;
  const char *const tells = telling;
  const bool steps = stepping;
  stepping = false;
  handle();
  test_isr = number;
  telling = tells;
  stepping = steps;
}

static void listen_to_traps(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = trap;
  action.sa_flags = SA_NODEFER;
  CHECK(sigaction(SIGTRAP, &action, NULL) == 0);
}
#endif

/* No step inside a critical section: an interrupt that comes there waits for its end. */
bool port_mask(void) {
  const bool was_masked = masked;
  CHECK(!was_masked);
  masked = true;
#if defined(__x86_64__) && defined(__linux__)
  if (stepping) {
    step(false);
    stepping = true;
  }
#endif
  if (telling != NULL) {
    tell();
  }
  return was_masked;
}

void port_unmask(bool was_masked) {
  masked = was_masked;
#if defined(__x86_64__) && defined(__linux__)
  if (stepping) {
    step(true);
  }
#endif
}

static uint64_t now;
uint64_t port_timestamp(void) { return now++; }
bool port_send(const uint8_t *data, size_t len) {
  CHECK(masked);
  CHECK(fwrite(data, 1, len, stdout) == len);
  return false;
}

/* ---- Handlers --------------------------------------------------------------------------------- */

static void enter(uint32_t number) {
  test_isr = number;
  telling = "e";
  traceISR_ENTER();
  CHECK(telling == NULL);
}

/* A hook may see without a section that there is nothing to do. */
static void leave(uint32_t number, bool to_scheduler) {
  test_isr = number;
  telling = to_scheduler ? "s" : "x";
  if (to_scheduler) {
    traceISR_EXIT_TO_SCHEDULER();
  } else {
    traceISR_EXIT();
  }
  if (telling != NULL) {
    port_unmask(port_mask());
  }
}

static uint32_t entries, missed, without_enter;

/* ---- A full table, exits that match nothing, a recording that stops, cores ---------------------- */

/* More interrupts than the table has room for, all open, and the 17th as well. */
static void fill(uint32_t count) {
  for (uint32_t n = 1; n <= count; n++) {
    enter(n);
  }
  for (uint32_t n = count; n >= 1; n--) {
    leave(n, false);
  }
}

static void in_turn(void) {
  fill(16);
  CHECK(tband_freertos_get_missed_isr_exit_cnt(0) == 0);
  fill(17);
  CHECK(tband_freertos_get_missed_isr_exit_cnt(0) == 1);
  leave(5, false); /* matches nothing: none is open */
  enter(1);
  leave(2, false); /* matches nothing: another is open */
  enter(3);
  leave(2, true);
  leave(3, true);
  leave(1, false);
  CHECK(tband_freertos_get_missed_isr_exit_cnt(0) == 1);

  /* Each of 100 handlers leaves out its exit: others are recorded as before. */
  for (uint32_t n = 1; n <= 100; n++) {
    enter(n);
    enter(1000);
    leave(1000, false);
  }
  for (uint32_t n = 1; n <= 100; n++) {
    fill(3);
  }
  /* Numbers of any size; the one that inside one that ends has ended. */
  enter(0);
  enter(0xFFFF);
  enter(0x10000);
  enter(0xFFFFFFFE);
  leave(0x10000, false);
  leave(0, false);
  leave(0xFFFF, false);

  /* Recording is off: an interrupt that ends now is not open later, and one that begins now has no exit. */
  enter(7);
  CHECK(tband_stop_streaming() == 0);
  fprintf(told, "- off\n");
  leave(7, false);
  test_isr = 8;
  traceISR_ENTER();
  CHECK(tband_start_streaming() == 0);
  fprintf(told, "- on\n");
  leave(8, false);
  fill(2);

  for (uint32_t round = 0; round < 3; round++) {
    for (port_core = 0; port_core < TEST_CORES; port_core++) {
      enter(2000);
      enter(2001 + port_core);
    }
    for (port_core = 0; port_core < TEST_CORES; port_core++) {
      if (round != 1) {
        leave(2001 + port_core, false);
      }
      leave(2000, false);
    }
    port_core = 0;
  }
  CHECK(tband_freertos_get_missed_isr_exit_cnt(TEST_CORES) == 0);
  for (unsigned core = 0; core < TEST_CORES; core++) {
    fprintf(told, "# missed %u %u\n", core, (unsigned)tband_freertos_get_missed_isr_exit_cnt(core));
  }
}

/* ---- Every boundary --------------------------------------------------------------------------- */

#if defined(__x86_64__) && defined(__linux__)

/* A handler of the simulated interrupts. What it leaves out and its number, one of five a level, change
 * from run to run. */
static void handle(void) {
  static uint32_t random = 1;
  random = random * 1664525U + 1013904223U;
  const uint32_t leaves_out = (random >> 16) % 8U; /* 0: the exit; 1: the entry, always */
  const uint32_t number = (leaves_out == 1U) ? depth : 16 + (random >> 24) % 5U * DEPTH + depth;
  depth++;
  if (depth < DEPTH) {
    step(true);
  }
  if (leaves_out != 1U) {
    entries++;
    enter(number);
  } else {
    without_enter++;
  }
  if (leaves_out != 0U) {
    leave(number, (random & 0x400U) != 0U);
  } else {
    missed++;
  }
  step(false);
  depth--;
}

static void nested(uint32_t at_least) {
  listen_to_traps();
  uint32_t runs = 0;
  while (entries < at_least) {
    handle();
    runs++;
  }
  /* Each comes once more, so that everything that was missed is found. */
  for (uint32_t number = 16; number < 16 + 5 * DEPTH; number++) {
    entries++;
    enter(number);
    leave(number, false);
  }
  fprintf(told, "# missed 0 %u\n", (unsigned)tband_freertos_get_missed_isr_exit_cnt(0));
  fprintf(told, "# truly %u %u %u %u\n", (unsigned)runs, (unsigned)entries, (unsigned)missed,
          (unsigned)without_enter);
}
#else
static void nested(uint32_t at_least) { (void)at_least; }
#endif

int main(int argc, char **argv) {
  CHECK(argc == 3);
  told = fopen(argv[1], "w");
  CHECK(told != NULL);
  CHECK(tband_start_streaming() == 0);
  const uint32_t at_least = (uint32_t)strtoul(argv[2], NULL, 10);
  if (at_least == 0) {
    in_turn();
  } else {
    nested(at_least);
  }
  CHECK(fclose(told) == 0 && fflush(stdout) == 0);
  return 0;
}
