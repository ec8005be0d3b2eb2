/* See program.h. */
#include "program.h"

#include <stdarg.h>

struct shared shared __attribute__((aligned(SHARED_SIZE)));

static void put(char c) {
  if (shared.len < sizeof shared.text) {
    shared.text[shared.len++] = c;
  } else {
    shared.failures++;
  }
}

void expect(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  for (; *format != '\0'; format++) {
    if (*format != '%') {
      put(*format);
      continue;
    }
    format++; /* a u */
    char digits[10];
    unsigned count = 0;
    uint32_t number = va_arg(arguments, uint32_t);
    do {
      digits[count++] = (char)('0' + number % 10U);
      number /= 10U;
    } while (number != 0);
    while (count > 0) {
      put(digits[--count]);
    }
  }
  put('\n');
  va_end(arguments);
}
