/* Checks for the test programs: the first that fails ends the program with a message. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) check_that((condition), #condition, __FILE__, __LINE__)
#define CHECK_EQ(found, expected) \
  check_equal((int64_t)(found), (int64_t)(expected), #found, __FILE__, __LINE__)

static inline void check_that(bool holds, const char *text, const char *file, int line) {
  if (!holds) {
    (void)fprintf(stderr, "%s:%d: not true: %s\n", file, line, text);
    exit(1);
  }
}

static inline void check_equal(int64_t found, int64_t expected, const char *text, const char *file,
                               int line) {
  if (found != expected) {
    (void)fprintf(stderr, "%s:%d: %s is %lld, expected %lld\n", file, line, text, (long long)found,
                  (long long)expected);
    exit(1);
  }
}

#endif
