/* What start.S saves of the code that an exception has interrupted. */
#ifndef FRAME_H
#define FRAME_H
#include <stdint.h>

struct frame {
  uint32_t a[16];
  uint32_t pc;
  uint32_t ps;
  uint32_t sar;
  uint32_t loop[3];
  uint32_t cause;
  uint32_t unused;
};

enum { FRAME_PS_EXCM = 0x10, FRAME_PS_CALLINC_1 = 0x10000, FRAME_PS_WOE = 0x40000 };

#endif
