/* The failures of a program's entry points, as text; included by its main.c. */
#ifndef ENTRIES_FAILURES_H_
#define ENTRIES_FAILURES_H_

#include <string.h>

#include "entries.h"

enum { TEXT_SIZE = 16384 };
static char failures[TEXT_SIZE];
static size_t failures_len;
static const char *context;

static void put(const char *text) {
  const size_t len = strlen(text);
  if (len <= sizeof failures - failures_len) {
    memcpy(&failures[failures_len], text, len);
    failures_len += len;
  }
}

void entries_fail(const char *what, const struct entry *entry) {
  put(context);
  put(": ");
  put(what);
  put(" ");
  put(entry->name);
  put("\n");
}

#endif /* ENTRIES_FAILURES_H_ */
