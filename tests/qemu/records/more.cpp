// Records in C++: in a function, in one that is inline, in a template.
#include "tband.h"

extern "C" void more(void);

inline void of_inline(int number) { TBAND_RECORD("inline %d", number); }

template <typename TYPE>
void of_template(TYPE value) {
  TBAND_RECORD("template, %d", static_cast<int>(sizeof(value)));
}

static const unsigned char bytes[] = {1, 2, 3};

void more(void) {
  TBAND_RECORD("C++ %d %s", 5, "text");
  of_inline(6);
  of_template(1);
  of_template(2LL);
  TBAND_RECORD("%p, %d", TBAND_MEM(bytes, sizeof(bytes)), false);
}
