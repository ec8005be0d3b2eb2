/* A program that writes flux and does nothing else; its size is what that costs. Not run. */
#include "tband_flux.h"

volatile int32_t result;
volatile int64_t now;

#if defined USES_LINEAR || defined USES_RING
static tband_flux_buffer buffer;
static tband_flux_trace trace;
static tband_flux_item items[9];
static tband_flux_sequence sequences[1];
/* Its memory is not counted: this is where another section would be. */
#define MEMORY ((uint8_t *)0x20008000)

static size_t discard(void *context, const uint8_t *bytes, size_t len) {
  (void)context;
  (void)bytes;
  return len;
}
#endif

int main(void) {
#if defined USES_RING
  result = tband_flux_ring(&buffer, MEMORY, 4096, 1024, 512, discard, 0);
#elif defined USES_LINEAR
  result = tband_flux_linear(&buffer, MEMORY, 4096, discard, 0);
#endif
#if defined USES_INTEGERS
  static const tband_flux_setup setup = {1, 6, 8, 64, items, 9, sequences, 1};
  result = tband_flux_trace_setup(&trace, &buffer, &setup);
  result = tband_flux_head(&trace, "x", "");
  result = tband_flux_scope(&trace, 1, 0, "x", "");
  result = tband_flux_signal(&trace, 2, 1, "x", "", TBAND_FLUX_INTEGER, "");
  result = tband_flux_open(&trace, 0, "ns", now, 0);
  result = tband_flux_integer(&trace, 2, now, 1);
  result = tband_flux_close(&trace, 0, now);
  result = tband_flux_flush(&trace);
#endif
#if defined USES_ALL
  static const tband_flux_member member = {.member = 1, .kind = TBAND_FLUX_MEMBER_INTEGER, .value.integer = 5};
  result = tband_flux_reference(&trace, 2, 1, "x", "");
  result = tband_flux_enumeration(&trace, 2, TBAND_FLUX_VALUES, "x", 1);
  result = tband_flux_define_member(&trace, 2, 1, "x", TBAND_FLUX_MEMBER_INTEGER, "");
  result = tband_flux_event(&trace, 2, now, 1);
  result = tband_flux_unsigned(&trace, 2, now, 1);
  result = tband_flux_float(&trace, 2, now, 1.0F);
  result = tband_flux_double(&trace, 2, now, 1.0);
  result = tband_flux_text(&trace, 2, now, "x");
  result = tband_flux_binary(&trace, 2, now, (const uint8_t *)"x", 1);
  result = tband_flux_struct(&trace, 2, now, &member, 1);
  result = tband_flux_none(&trace, 2, now);
  result = tband_flux_relation(&trace, 2, 1, 1, 0);
  result = tband_flux_label(&trace, 2, 1);
#endif
  return 0;
}
