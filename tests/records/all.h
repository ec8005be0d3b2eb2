/* Records of every type and limit, each also as C's own printf gives it: compiled as C and as C++. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#include "fake_port.h"
#ifdef __cplusplus
}
#endif
#include "tband.h"

static FILE *expected;

/* Records the arguments, and prints the expected text with a NUL after it. */
#define BOTH(...)                    \
  do {                               \
    TBAND_RECORD(__VA_ARGS__);       \
    fprintf(expected, __VA_ARGS__);  \
    fputc(0, expected);              \
  } while (0)
/* Flags and precisions that a compiler would complain of together. */
#define EACH_INTEGER(value, type, last)                            \
  do {                                                             \
    BOTH("%" type last, value);                                    \
    BOTH("[%8" type last "|%-8" type last "|%08" type last "]", value, value, value); \
    BOTH("[%.3" type last "|%10.5" type last "|%-10.5" type last "|%.0" type last "]", value, value, value, value); \
    BOTH("[%*" type last "|%.*" type last "|%*" type last "]", 9, value, 4, value, -9, value);     \
  } while (0)
#define EACH_SIGNED(value, type)          \
  do {                                    \
    EACH_INTEGER(value, type, "d");       \
    EACH_INTEGER(value, type, "i");       \
    BOTH("[%+" type "d|% " type "d|%+08" type "d|% -8" type "d]", value, value, value, value); \
  } while (0)
#define EACH_UNSIGNED(value, type)        \
  do {                                    \
    EACH_INTEGER(value, type, "u");       \
    EACH_INTEGER(value, type, "o");       \
    EACH_INTEGER(value, type, "x");       \
    EACH_INTEGER(value, type, "X");       \
    BOTH("[%#" type "x|%#10" type "X|%#010" type "x|%#" type "o]", value, value, value, value);   \
    BOTH("[%#.0" type "x|%#.0" type "o|%#.8" type "x|%#-12" type "o]", value, value, value, value); \
  } while (0)
#define EACH_FLOAT(value, type)                                                                  \
  do {                                                                                           \
    BOTH("%" type, value);                                                                       \
    BOTH("[%.0" type "|%.1" type "|%.3" type "|%.15" type "|%.40" type "]", value, value, value, value, value); \
    BOTH("[%20" type "|%-20" type "|%020" type "|%+" type "|% " type "]", value, value, value, value, value);   \
    BOTH("[%#" type "|%#.0" type "|%+.2" type "|%*.*" type "]", value, value, value, 12, 4, value);             \
  } while (0)
#define EVERY_FLOAT(value)   \
  do {                       \
    EACH_FLOAT(value, "f");  \
    EACH_FLOAT(value, "F");  \
    EACH_FLOAT(value, "e");  \
    EACH_FLOAT(value, "E");  \
    EACH_FLOAT(value, "g");  \
    EACH_FLOAT(value, "G");  \
    EACH_FLOAT(value, "a");  \
    EACH_FLOAT(value, "A");  \
  } while (0)

static void integers(void) {
  static const int numbers[] = {0, 1, -1, 7, 63, 64, -64, -65, 127, 128, 8191, 8192, 99999, INT32_MAX, INT32_MIN};
  for (size_t at = 0; at < sizeof(numbers) / sizeof(numbers[0]); at++) {
    const int number = numbers[at];
    EACH_SIGNED(number, "");
    EACH_SIGNED((short)number, "h");
    EACH_SIGNED((signed char)number, "hh");
    EACH_UNSIGNED((unsigned)number, "");
    EACH_UNSIGNED((unsigned short)number, "h");
    EACH_UNSIGNED((unsigned char)number, "hh");
    EACH_SIGNED((long)number, "l");
    EACH_UNSIGNED((unsigned long)number, "l");
  }
  static const int64_t longs[] = {0, -1, INT64_MAX, INT64_MIN, 1234567890123, INT32_MIN, UINT32_MAX, INT64_MIN + 1};
  for (size_t at = 0; at < sizeof(longs) / sizeof(longs[0]); at++) {
    EACH_SIGNED((long long)longs[at], "ll");
    EACH_UNSIGNED((unsigned long long)longs[at], "ll");
    BOTH("%" PRId64 " %" PRIu64 " %jd %zu %td", longs[at], (uint64_t)longs[at], (intmax_t)longs[at], (size_t)longs[at],
         (ptrdiff_t)longs[at]);
  }
  BOTH("%d %d", (bool)true, (bool)false);
  const bool flag = true;
  BOTH("%d %u", flag, (unsigned)flag);
  const char letter = 'x';
  BOTH("%c|%5c|%-5c|%c|%d", letter, letter, 'y', 200, letter);
}

static void floats(void) {
  static const double numbers[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, 0.125, 0.1, 1.0 / 3.0, 2.0 / 3.0, 9.995, 99.5,
                                   999999.4, 1e5, 123456.0, 1234567.0, 1e-4, 1e-5, 9.9999e-5, 1e15, 1e16, 1e21, 1e100,
                                   1e308, 5e-324,
                                   2.2250738585072014e-308, 1.7976931348623157e308, 3.141592653589793, 1e22, 0.3,
                                   4503599627370496.5, 1.0009765625};
  for (size_t at = 0; at < sizeof(numbers) / sizeof(numbers[0]); at++) {
    EVERY_FLOAT(numbers[at]);
    EVERY_FLOAT(-numbers[at]);
    EVERY_FLOAT((float)numbers[at]);
  }
  static const double others[] = {INFINITY, -INFINITY, (double)NAN};
  for (size_t at = 0; at < sizeof(others) / sizeof(others[0]); at++) {
    EVERY_FLOAT(others[at]);
    EVERY_FLOAT((float)others[at]);
  }
  const float single = 3.3F;
  BOTH("%f %.10f", single, (double)single);
}

static void texts(void) {
  char text[260];
  const char *const constant = "constant";
  BOTH("%s|%s|%s", "", "a", constant);
  BOTH("[%10s|%-10s|%.2s|%10.3s|%.0s|%.*s]", "abc", "abc", "abc", "abcdef", "abc", 2, "abc");
  for (int byte = 1; byte < 128; byte++) {
    text[byte - 1] = (char)byte;
  }
  text[127] = 0;
  BOTH("%s", text);
  BOTH("%%|100%%|%d%%|%s", 5, "%d");
  BOTH("no arguments");
  /* Characters without a NUL, at the end of readable memory. */
  const char *const edge = fake_at_edge("abcd", 4);
  TBAND_RECORD("%s|%.2s|%6s|%s|%d", TBAND_CHARS(edge, 4U), TBAND_CHARS(edge, 4U), TBAND_CHARS(edge, 3U),
               TBAND_CHARS(edge, 0U), 5);
  fprintf(expected, "abcd|ab|   abc||5%c", 0);
  TBAND_RECORD("%s|%s", TBAND_CHARS("up to its NUL", 40U), TBAND_CHARS(NULL, 4U));
  fprintf(expected, "up to its NUL|%c", 0);
  TBAND_RECORD("");
  fputc(0, expected);
  BOTH("\t%s\n", "\xC3\xA4");
  BOTH("%d %s %f %d %s %f %d %s", 1, "two", 3.0, 4, "five", 6.0, 7, "eight");
  BOTH("%s %d", text, 12);
}

int main(int count, char **arguments) {
  expected = (count > 1) ? fopen(arguments[1], "wb") : NULL;
  if ((expected == NULL) || (tband_start_streaming() != 0)) {
    return 1;
  }
  integers();
  floats();
  texts();
  if ((tband_stop_streaming() != 0) || (fclose(expected) != 0)) {
    return 1;
  }
  fake_print_sent();
  return 0;
}
