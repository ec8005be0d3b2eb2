/* Test of port/tband_extend32.h on the host: exact values, at and round the wrap. Prints each wrong value. */
#include <inttypes.h>
#include <stdio.h>

#include "tband_extend32.h"

static int failures;

static void expect(tband_extend32_state *state, uint32_t now, uint64_t expected) {
  const uint64_t got = tband_extend32(state, now);
  if (got != expected) {
    printf("counter 0x%08" PRIX32 ": 0x%016" PRIX64 " instead of 0x%016" PRIX64 "\n", now, got,
           expected);
    failures++;
  }
}

int main(void) {
  /* The first call may find any value, and does not take it for a wrap. */
  tband_extend32_state fresh = {0, 0};
  expect(&fresh, 0xFFFFFFF0U, 0xFFFFFFF0U);
  expect(&fresh, 0xFFFFFFFFU, 0xFFFFFFFFU);
  expect(&fresh, 0xFFFFFFFFU, 0xFFFFFFFFU); /* twice within a tick */
  expect(&fresh, 0x00000000U, 0x100000000U);
  expect(&fresh, 0x00000000U, 0x100000000U); /* 0 twice does not count as a wrap */
  expect(&fresh, 0x00000001U, 0x100000001U);

  /* One call a wrap is enough, one tick short of a whole one. */
  tband_extend32_state sparse = {0, 0};
  expect(&sparse, 5U, 5U);
  expect(&sparse, 4U, 0x100000004U);
  expect(&sparse, 3U, 0x200000003U);
  expect(&sparse, 2U, 0x300000002U);

  /* Steps of any size over several wraps: the sum of the steps, never back. */
  tband_extend32_state state = {0, 0};
  uint64_t total = 0;
  uint64_t last = 0;
  uint32_t step = 1;
  for (unsigned i = 0; i < 100000; i++) {
    step = step * 1664525U + 1013904223U;
    total += step;
    expect(&state, (uint32_t)total, total);
    if (total < last) {
      failures++;
    }
    last = total;
  }
  if (total >> 32 < 1000) {
    printf("the test itself wraps only %" PRIu64 " times\n", total >> 32);
    failures++;
  }
  return failures != 0;
}
