/* Prints the size that the shim gives a frame buffer, for many lengths of strings. */
#include "tband_shim.c"

#include "check.h"

int main(void) {
  for (uint32_t len = 1; len <= 65535; len += (len < 2000) ? 1 : 997) {
    CHECK(printf("%u %u\n", (unsigned)len, (unsigned)(TBAND_FRAME_BUF_SIZE(len))) > 0);
  }
  return 0;
}
