/* Fault handlers whose other ends only assembler code names: see tests/toolchains/lto.rs. */
#include "tband.h"

TBAND_FAULT_HANDLER(fault_handler, my_fault)
#ifdef TBAND_WATCHDOG_HANDLER
TBAND_WATCHDOG_HANDLER(watchdog_handler, my_watchdog)
#define TABLE fault_handler, watchdog_handler
#else
#define TABLE fault_handler
#endif

void start(void);
void fail(void) { tband_fault_assert("handlers.c", 1); }

__attribute__((used, section(".vectors"))) static void (*const table[])(void) = {start, fail, TABLE};
