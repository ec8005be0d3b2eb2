/* What the compiler calls where the core has no instruction: QEMU's dc233c divides no words and has no upper half of a
 * product. There is no library of the compiler for this core. */
#include <stdint.h>

uint32_t __udivsi3(uint32_t dividend, uint32_t divisor);
uint32_t __udivsi3(uint32_t dividend, uint32_t divisor) {
  uint32_t quotient = 0;
  uint32_t rest = 0;
  for (int bit = 31; bit >= 0; bit--) {
    rest = (rest << 1) | ((dividend >> bit) & 1U);
    if (rest >= divisor) {
      rest -= divisor;
      quotient |= 1U << bit;
    }
  }
  return quotient;
}

uint32_t __umodsi3(uint32_t dividend, uint32_t divisor);
uint32_t __umodsi3(uint32_t dividend, uint32_t divisor) { return dividend - __udivsi3(dividend, divisor) * divisor; }

uint64_t __muldi3(uint64_t one, uint64_t two);
uint64_t __muldi3(uint64_t one, uint64_t two) {
  uint64_t product = 0;
  for (int bit = 0; bit < 64; bit++) {
    if (((one >> bit) & 1U) != 0U) {
      product += two << bit;
    }
  }
  return product;
}
