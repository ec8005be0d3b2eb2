/* The cycle counter's registers, as memory at their addresses: the recorder turns it on at the start, and
 * only it; what else they held stays. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "check.h"
#include "tband.h"

uint32_t SystemCoreClock = 400000000;

static volatile uint32_t *registers(uintptr_t page) {
  void *const wanted = (void *)page;
  void *const mapped = mmap(wanted, 4096, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  CHECK(mapped == wanted);
  return mapped;
}

int main(void) {
  volatile uint32_t *const dwt = registers(0xE0001000U);
  volatile uint32_t *const system = registers(0xE000E000U);
  volatile uint32_t *const control = &dwt[0];
  volatile uint32_t *const count = &dwt[1];
  volatile uint32_t *const lock = &dwt[0xFB0 / 4];
  volatile uint32_t *const demcr = &system[0xDFC / 4];
  *control = 0x40000000U;
  *demcr = 0x00000400U;
  *count = 1000;
  tband_isr_enter(1); /* not recording */
  CHECK_EQ(*control, 0x40000000U);
  for (uint32_t round = 0; round < 2; round++) {
    CHECK_EQ(tband_trigger_snapshot(), 0);
    CHECK_EQ(*control, 0x40000001U);
    CHECK_EQ(*demcr, 0x01000400U);
    CHECK_EQ(*lock, 0xC5ACCE55U);
    CHECK_EQ(*count, 1000 + round * 1000U);
    *count = 2000;
    tband_isr_exit(round);
    CHECK_EQ(tband_stop_snapshot(), 0);
    SystemCoreClock = 800000000;
  }
  const volatile uint8_t *const data = tband_get_core_snapshot_buf(0);
  for (size_t at = 0; at < tband_get_core_snapshot_buf_amnt(0); at++) {
    CHECK(putchar(data[at]) != EOF);
  }
  return 0;
}
