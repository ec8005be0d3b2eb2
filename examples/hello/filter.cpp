/* The filter in C++; filter.c is the same in C. */
#include "hello.h"
#include "tband.h"

namespace {

class Filter {
 public:
  void put(int input) {
    level_ += (input - level_) / 4;
    tband_valmarker(VALUE_LEVEL, level_);
  }

 private:
  int level_ = 0;
};

Filter filter;

}  // namespace

extern "C" void hello_sample(int input) { filter.put(input); }
