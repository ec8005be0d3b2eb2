/* Misuse of the emitter: each mistake has its result, and nothing is written or read where it must not be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tband_flux.h"
#include "tband_flux_handlers.h"

#define CHECK(call, expected)                                                     \
  do {                                                                            \
    const int32_t got = (call);                                                   \
    if (got != (expected)) {                                                      \
      fprintf(stderr, "line %d: %s is %ld\n", __LINE__, #call, (long)got);        \
      exit(1);                                                                    \
    }                                                                             \
  } while (0)

static tband_flux_buffer buffer;
static tband_flux_trace trace;
static tband_flux_item items[9];
static tband_flux_sequence sequences[1];
static uint8_t taken[4096];
static tband_flux_memory into = {taken, sizeof taken, 0};
static int32_t in_handler;
static int32_t refused;

/* Takes all, and writes to the buffer that calls it. */
static size_t writes_itself(void *context, const uint8_t *bytes, size_t len) {
  in_handler = tband_flux_integer(&trace, 2, 1000, 1);
  refused++;
  CHECK((int32_t)tband_flux_lost(&buffer), 0);
  return tband_flux_to_memory(context, bytes, len);
}

/* A line that takes two bytes and refuses the others. */
static bool put_two(void *line, uint8_t byte) {
  int *const count = (int *)line;
  (void)byte;
  return ++*count <= 2;
}

int main(void) {
  uint8_t memory[64];
  tband_flux_setup setup;
  memset(&setup, 0, sizeof setup);
  setup.trace = 3;
  setup.version = 6;
  setup.max_item = 8;
  setup.max_entry = 40;
  setup.items = items;
  setup.item_count = 9;
  setup.sequences = sequences;
  setup.sequence_count = 1;

  /* Nothing is set up. */
  CHECK(tband_flux_head(&trace, "x", ""), TBAND_FLUX_ARGUMENT);
  CHECK(tband_flux_head(NULL, "x", ""), TBAND_FLUX_ARGUMENT);
  CHECK(tband_flux_flush(&trace), TBAND_FLUX_ARGUMENT);
  CHECK(tband_flux_trace_setup(&trace, &buffer, &setup), TBAND_FLUX_ARGUMENT);
  CHECK((int32_t)tband_flux_lost(&buffer), 0);
  CHECK(tband_flux_linear(NULL, memory, sizeof memory, writes_itself, &into), TBAND_FLUX_ARGUMENT);
  CHECK(tband_flux_linear(&buffer, NULL, 10, writes_itself, &into), TBAND_FLUX_ARGUMENT);
  CHECK(tband_flux_linear(&buffer, memory, 0, writes_itself, &into), TBAND_FLUX_ARGUMENT);
  CHECK(tband_flux_linear(&buffer, memory, sizeof memory, NULL, NULL), TBAND_FLUX_ARGUMENT);
  CHECK(tband_flux_ring(&buffer, memory, sizeof memory, 60, 10, writes_itself, &into), TBAND_FLUX_ARGUMENT);
  CHECK(tband_flux_linear(&buffer, memory, sizeof memory, writes_itself, &into), TBAND_FLUX_OK);

  CHECK(tband_flux_trace_setup(NULL, &buffer, &setup), TBAND_FLUX_ARGUMENT);
  CHECK(tband_flux_trace_setup(&trace, NULL, &setup), TBAND_FLUX_ARGUMENT);
  CHECK(tband_flux_trace_setup(&trace, &buffer, NULL), TBAND_FLUX_ARGUMENT);
  setup.version = 5;
  CHECK(tband_flux_trace_setup(&trace, &buffer, &setup), TBAND_FLUX_ARGUMENT);
  setup.version = 6;
  setup.max_entry = 65;
  CHECK(tband_flux_trace_setup(&trace, &buffer, &setup), TBAND_FLUX_ARGUMENT);
  setup.max_entry = 40;
  CHECK(tband_flux_trace_setup(&trace, &buffer, &setup), TBAND_FLUX_OK);

  CHECK(tband_flux_head(&trace, "a name that is longer than an entry may be at most", ""), TBAND_FLUX_TOO_LONG);
  CHECK(tband_flux_head(&trace, "x", NULL), TBAND_FLUX_OK);
  CHECK(tband_flux_scope(&trace, 1, 0, "s", NULL), TBAND_FLUX_OK);
  CHECK(tband_flux_signal(&trace, 2, 1, "i", NULL, TBAND_FLUX_INTEGER, NULL), TBAND_FLUX_OK);
  CHECK(tband_flux_signal(&trace, 3, 1, "b", NULL, TBAND_FLUX_BINARY, NULL), TBAND_FLUX_OK);
  CHECK(tband_flux_signal(&trace, 4, 1, "s", NULL, TBAND_FLUX_STRUCT, NULL), TBAND_FLUX_OK);
  CHECK(tband_flux_signal(&trace, 5, 1, "t", NULL, TBAND_FLUX_TEXT, NULL), TBAND_FLUX_OK);
  CHECK(tband_flux_signal(&trace, 6, 9, "t", NULL, TBAND_FLUX_TEXT, NULL), TBAND_FLUX_STATE);
  CHECK(tband_flux_open(&trace, 0, NULL, 0, 0), TBAND_FLUX_ARGUMENT);
  CHECK(tband_flux_open(&trace, 0, "ns", 0, 0), TBAND_FLUX_OK);
  CHECK(tband_flux_define_member(&trace, 4, 1, "m", 5, NULL), TBAND_FLUX_ARGUMENT);
  CHECK(tband_flux_define_member(&trace, 4, 1, "m", TBAND_FLUX_MEMBER_BINARY, NULL), TBAND_FLUX_OK);

  /* A handler that writes itself is refused, as an interrupt is that comes while a task writes. */
  int64_t time = 0;
  in_handler = 1;
  while (in_handler == 1) {
    CHECK(tband_flux_integer(&trace, 2, ++time, 5), TBAND_FLUX_OK);
  }
  CHECK(in_handler, TBAND_FLUX_BUSY);
  CHECK((int32_t)tband_flux_lost(&buffer), refused);

  CHECK(tband_flux_binary(&trace, 3, time, NULL, 1), TBAND_FLUX_ARGUMENT);
  CHECK(tband_flux_binary(&trace, 3, time, NULL, 0), TBAND_FLUX_OK);
  CHECK(tband_flux_text(&trace, 5, time, NULL), TBAND_FLUX_OK);
  tband_flux_member member;
  memset(&member, 0, sizeof member);
  member.member = 1;
  member.kind = 99;
  CHECK(tband_flux_struct(&trace, 4, time, &member, 1), TBAND_FLUX_ARGUMENT);
  CHECK(tband_flux_struct(&trace, 4, time, NULL, 1), TBAND_FLUX_ARGUMENT);
  member.kind = TBAND_FLUX_MEMBER_BINARY;
  member.value.binary.bytes = NULL;
  member.value.binary.len = 3;
  CHECK(tband_flux_struct(&trace, 4, time, &member, 1), TBAND_FLUX_ARGUMENT);
  member.value.binary.bytes = memory;
  member.value.binary.len = sizeof memory;
  CHECK(tband_flux_struct(&trace, 4, time, &member, 1), TBAND_FLUX_TOO_LONG);
  CHECK(tband_flux_close(&trace, 0, time - 1), TBAND_FLUX_TIME);
  CHECK(tband_flux_close(&trace, 0, time), TBAND_FLUX_OK);
  CHECK(tband_flux_close(&trace, 0, time), TBAND_FLUX_STATE);
  CHECK(tband_flux_flush(&trace), TBAND_FLUX_OK);

  /* A line that takes two bytes and then none: the rest stays, and comes when there is room. */
  int count = 0;
  tband_flux_line line = {put_two, &count};
  CHECK(tband_flux_linear(&buffer, memory, sizeof memory, tband_flux_to_line, &line), TBAND_FLUX_OK);
  CHECK(tband_flux_trace_setup(&trace, &buffer, &setup), TBAND_FLUX_OK);
  CHECK(tband_flux_head(&trace, "another", ""), TBAND_FLUX_OK);
  CHECK(tband_flux_flush(&trace), TBAND_FLUX_HANDLER);
  int32_t result = TBAND_FLUX_OK;
  uint32_t scopes = 0;
  while (result == TBAND_FLUX_OK) {
    scopes++;
    result = tband_flux_scope(&trace, scopes, 0, "scope", "");
  }
  CHECK(result, TBAND_FLUX_FULL);
  CHECK((int32_t)tband_flux_lost(&buffer), 1);
  /* It was not defined, so it can be once there is room. */
  count = -1000;
  CHECK(tband_flux_scope(&trace, scopes, 0, "scope", ""), TBAND_FLUX_OK);
  CHECK(tband_flux_flush(&trace), TBAND_FLUX_OK);
  (void)fwrite(taken, 1, into.used, stdout);
  return 0;
}
