/* The filter in C; filter.cpp is the same in C++. */
#include "hello.h"
#include "tband.h"

void hello_sample(int input) {
  static int level;
  level += (input - level) / 4;
  tband_valmarker(VALUE_LEVEL, level);
}
