/* The signals of a machine. Each sample is printed too, on one line: path, time, value. */
#include "signals.h"

#include <inttypes.h>
#include <stdio.h>

enum { MEMBER_ID = 1, MEMBER_BYTES, MEMBER_SIGNAL };
enum { TARGET_STATE = ITEM_STATE, STYLE_WHY = 1 };

static const char *const states[] = {"", "idle", "runs", "failed"};

int32_t signals_begin(tband_flux_trace *trace, int64_t start) {
  /* Definitions come before the sequence, words and members after its start. Any of them may fail if it does not fit;
   * the first failure is enough. */
  int32_t result = tband_flux_head(trace, "machine", "a machine with a motor");
#define AND(call)                  \
  if (result == TBAND_FLUX_OK) {   \
    result = (call);               \
  }
  AND(tband_flux_scope(trace, ITEM_MACHINE, 0, "machine", ""))
  AND(tband_flux_signal(trace, ITEM_STATE, ITEM_MACHINE, "state", "", TBAND_FLUX_EVENT, "gantt<>"))
  AND(tband_flux_signal(trace, ITEM_SPEED, ITEM_MACHINE, "speed", "1/min", TBAND_FLUX_INTEGER, ""))
  AND(tband_flux_signal(trace, ITEM_COUNT, ITEM_MACHINE, "count", "", TBAND_FLUX_INTEGER, "default<df=Hex>"))
  AND(tband_flux_signal(trace, ITEM_CURRENT, ITEM_MACHINE, "current", "A", TBAND_FLUX_FLOAT, ""))
  AND(tband_flux_signal(trace, ITEM_MESSAGE, ITEM_MACHINE, "message", "", TBAND_FLUX_TEXT, ""))
  AND(tband_flux_signal(trace, ITEM_FRAME, ITEM_MACHINE, "frame", "", TBAND_FLUX_STRUCT, ""))
  AND(tband_flux_open(trace, 0, "ns", start, 0))
  for (uint32_t state = STATE_IDLE; state <= STATE_FAILED; state++) {
    AND(tband_flux_enumeration(trace, ITEM_STATE, TBAND_FLUX_VALUES, states[state], state))
  }
  AND(tband_flux_enumeration(trace, ITEM_MESSAGE, TBAND_FLUX_TARGETS, "\\machine\\state", TARGET_STATE))
  AND(tband_flux_enumeration(trace, ITEM_MESSAGE, TBAND_FLUX_STYLES, "Why/444444/line/no", STYLE_WHY))
  AND(tband_flux_define_member(trace, ITEM_FRAME, MEMBER_ID, "id", TBAND_FLUX_MEMBER_INTEGER, ""))
  AND(tband_flux_define_member(trace, ITEM_FRAME, MEMBER_BYTES, "bytes", TBAND_FLUX_MEMBER_BINARY, ""))
  AND(tband_flux_define_member(trace, ITEM_FRAME, MEMBER_SIGNAL, "volts", TBAND_FLUX_MEMBER_FLOAT, ""))
#undef AND
  return result;
}

static void frame(tband_flux_trace *trace, int step, int64_t now) {
  const uint8_t bytes[2] = {(uint8_t)step, 0xA5};
  const float volts = (float)step * 0.25F;
  const tband_flux_member members[] = {
      {.member = MEMBER_ID, .kind = TBAND_FLUX_MEMBER_INTEGER, .value.integer = -step},
      {.member = MEMBER_BYTES, .kind = TBAND_FLUX_MEMBER_BINARY, .value.binary = {bytes, sizeof bytes}},
      {.member = MEMBER_SIGNAL, .kind = TBAND_FLUX_MEMBER_FLOAT, .value.single = volts},
  };
  if (tband_flux_struct(trace, ITEM_FRAME, now, members, 3) == TBAND_FLUX_OK) {
    printf("\\machine\\frame %" PRId64 " id=%d bytes=%02xa5 volts=%g\n", now, -step, bytes[0], (double)volts);
  }
}

void signals_step(tband_flux_trace *trace, int step, int64_t now) {
  const uint32_t state = (step % 7 == 6) ? STATE_FAILED : (step % 2 == 0) ? STATE_RUNS : STATE_IDLE;
  if (tband_flux_event(trace, ITEM_STATE, now, state) == TBAND_FLUX_OK) {
    printf("\\machine\\state %" PRId64 " %s\n", now, states[state]);
  }
  if (state == STATE_FAILED) {
    char text[32];
    (void)snprintf(text, sizeof text, "failed in step %d", step);
    if (tband_flux_text(trace, ITEM_MESSAGE, now, text) == TBAND_FLUX_OK) {
      printf("\\machine\\message %" PRId64 " %s\n", now, text);
      /* An arrow from the state, at the same time. In a ring it may have no room, and is left out. */
      (void)tband_flux_relation(trace, ITEM_MESSAGE, TARGET_STATE, STYLE_WHY, 0);
    }
  }
  const int64_t speed = ((int64_t)step - 20) * 1000003;
  if (tband_flux_integer(trace, ITEM_SPEED, now + 5, speed) == TBAND_FLUX_OK) {
    printf("\\machine\\speed %" PRId64 " %" PRId64 "\n", now + 5, speed);
  }
  const uint64_t count = UINT64_C(1) << (step % 63);
  if (tband_flux_unsigned(trace, ITEM_COUNT, now + 5, count) == TBAND_FLUX_OK) {
    printf("\\machine\\count %" PRId64 " %" PRIu64 "\n", now + 5, count);
  }
  const double current = (double)step * 0.5 - 3.0;
  if (tband_flux_double(trace, ITEM_CURRENT, now + 7, current) == TBAND_FLUX_OK) {
    printf("\\machine\\current %" PRId64 " %g\n", now + 7, current);
  }
  frame(trace, step, now + 9);
}
