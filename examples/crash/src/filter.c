/*
 * The filter, with a mistake of each kind.
 */
#include "filter.h"

#include "FreeRTOS.h"
#include "task.h"

enum { LIMIT = 1000 };

/* Set at run time in a firmware that has no mistake, which the compiler shall not see. */
static void (*volatile on_overrun)(void);
static volatile int32_t *volatile peripheral = (volatile int32_t *)0x60000000UL;
static uint8_t packed[12];
static uint8_t *volatile item = &packed[1];

/* Needs more stack than its task has, and blocks for a short time in the middle of it. */
__attribute__((noinline)) static int32_t median_of(int32_t depth) {
  volatile int32_t window[16];
  for (unsigned at = 0; at < 16; at++) {
    window[at] = depth;
  }
  if (depth == 0) {
    vTaskDelay(1);
    return window[0];
  }
  return median_of(depth - 1) + window[3];
}

/* Never ends: the device that it waits for is not there. */
__attribute__((noinline)) static void wait_for_device(void) {
  static volatile uint32_t ready;
  while (ready == 0U) {
  }
}

__attribute__((noinline)) int32_t filter_step(int32_t sample, enum crash crash) {
  static int32_t state;
  state += (sample - state) / 4;
  switch (crash) {
    case NULL_CALL:
      on_overrun();
      break;
    case BUS_ERROR:
      state += *peripheral;
      break;
    case UNALIGNED:
      state += (int32_t)*(volatile int64_t *)(uintptr_t)item; /* two words at once may not be unaligned */
      break;
    case ASSERT:
      configASSERT(state > LIMIT);
      break;
    case STACK_OVERFLOW:
      state += median_of(16);
      break;
    case MALLOC:
      state += (pvPortMalloc(100U * 1024U) != NULL) ? 1 : 0;
      break;
    case WATCHDOG:
      wait_for_device();
      break;
    default:
      break;
  }
  return state;
}
