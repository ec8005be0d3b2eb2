/* A C program with a part in Rust: both record the same with formats, first C and then Rust. Writes what the transport
 * took. */
#include <math.h>

#include "check.h"
#include "fake_port.h"
#include "tband.h"

/* In tests/rust_part: the same records as in this file. */
void rust_part_records(const int *object);
void rust_part_elements(const int *object);

static int object;

/* Texts of every length up to more than a record has room for, with bytes that take two, so that they are cut
 * everywhere. */
static void lengths(void) {
  static const char text[] =
      "ab\1c\2\2d" "ab\1c\2\2d" "ab\1c\2\2d" "ab\1c\2\2d" "ab\1c\2\2d" "ab\1c\2\2d" "ab\1c\2\2d" "ab\1c\2\2d"
      "ab\1c\2\2d";
  for (size_t len = 0; len <= 60; len++) {
    TBAND_RECORD("%s%u", TBAND_CHARS(text, len), 7U);
    TBAND_RECORD("%hu%s", (unsigned short)500, TBAND_CHARS(text, len));
  }
}

static void records(void) {
  static const char bytes[] = {'a', 0, 'b', 1};
  const double doubles[] = {0.0, -0.0, 1.5, -1.0 / 3.0, 1.7976931348623157e308, 5e-324};
  TBAND_RECORD("no arguments");
  TBAND_RECORD("%d", INT32_MIN);
  TBAND_RECORD("%d of %u", -7, 4294967295U);
  TBAND_RECORD("%hhd %hhd %hhu %hd %hd %hu", (signed char)-128, (signed char)127, (unsigned char)255, (short)-32768,
               (short)32767, (unsigned short)65535);
  TBAND_RECORD("%lld %lld %llu %x %X %o", INT64_MIN + 0LL, INT64_MAX + 0LL, UINT64_MAX + 0ULL, 255U, 255U, 8U);
  TBAND_RECORD("%zu %d %d %c", (size_t)300, true, false, 'x');
  for (size_t at = 0; at < sizeof(doubles) / sizeof(doubles[0]); at++) {
    TBAND_RECORD("d=%g", doubles[at]);
  }
  TBAND_RECORD("%.1f %e", 0.1, (double)INFINITY);
  TBAND_RECORD("[%s|%s|%s]", "", "a literal", "in C");
  TBAND_RECORD("%s", TBAND_CHARS("characters", 4U));
  TBAND_RECORD("a text that is cut: %s %d", "more than there is room for in a record, by far, of this program", 5);
  TBAND_RECORD("%p %p", TBAND_MEM(bytes, sizeof(bytes)), (const void *)&object);
  TBAND_RECORD("%*d|%-6.2f|%%", 5, 3, 2.5);
  TBAND_RECORD("%d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 8);
  TBAND_RECORD("");
  TBAND_RECORD("%%%d%%d", 1);
  TBAND_RECORD("%-*.*s|%.3s", 6, 2, "abcdef", "ghijkl");
  TBAND_RECORD("\xC3\xA4%u\xE2\x82\xAC %s", 5U, "\xC3\xB6\xF0\x9F\x98\x80");
  TBAND_RECORD("%s|%s", TBAND_CHARS("a\0b", 3U), "c");
  TBAND_RECORD("%hhd %+5.2d|% d|%#x", (signed char)-1, 3, 4, 0x1FU);
  TBAND_RECORD_BEGIN("job %d", 1);
  TBAND_RECORD_END("done");
  lengths();
}

/* Records of elements: of each kind, then texts and memory of each length. */
enum { KIND = 7, STAGE = 1, TIMEOUT = 3 };
static void elements(void) {
  static const char text[] =
      "ab\1c\2\2dab\1c\2\2dab\1c\2\2dab\1c\2\2dab\1c\2\2dab\1c\2\2dab\1c\2\2dab\1c\2\2dab\1c\2\2d";
  tband_name_constant(TBAND_CONSTANT(TBAND_CONSTANT_IS_TYPE, KIND), "KIND");
  tband_name_constant(TBAND_CONSTANT(TBAND_CONSTANT_IS_SIGNAL, TIMEOUT), "TIMEOUT");
  tband_name_constant(TBAND_CONSTANT(TBAND_CONSTANT_IS_ENUM + 2, STAGE), "STAGE");
  tband_name_symbol(&object, "object");
  TBAND_BEGIN(KIND, NULL) TBAND_END()
  TBAND_BEGIN(KIND, &object) TBAND_U8(200) TBAND_I8(-100) TBAND_U16(60000) TBAND_I16(-30000) TBAND_END()
  TBAND_BEGIN(KIND, NULL) TBAND_U32(4000000000U) TBAND_I32(-2000000000) TBAND_U64(UINT64_MAX)
  TBAND_I64(INT64_MIN) TBAND_END()
  TBAND_BEGIN(KIND, NULL) TBAND_BOOL(true) TBAND_BOOL(false) TBAND_F32(1.5F) TBAND_F64(-1.0 / 3.0) TBAND_END()
  TBAND_BEGIN(KIND, NULL) TBAND_STR("a literal") TBAND_STR("") TBAND_STR("in C") TBAND_OBJ(&object) TBAND_END()
  TBAND_BEGIN(KIND, NULL) TBAND_SIG(TIMEOUT) TBAND_ENUM(2, STAGE) TBAND_SIG(0x0FFFFFFF) TBAND_ENUM(13, 0) TBAND_END()
  for (size_t len = 0; len <= 60; len++) {
    char begin[61];
    for (size_t at = 0; at < len; at++) {
      begin[at] = text[at];
    }
    begin[len] = '\0';
    TBAND_BEGIN(KIND, NULL) TBAND_STR(begin) TBAND_U8(7) TBAND_END()
    TBAND_BEGIN(KIND, NULL) TBAND_BYTES("a\0b\1\0\0", len % 7U) TBAND_BYTES(text, len) TBAND_END()
  }
}

int main(void) {
  CHECK_EQ(tband_start_streaming(), 0);
  records();
  rust_part_records(&object);
  elements();
  rust_part_elements(&object);
  CHECK_EQ(tband_stop_streaming(), 0);
  fake_print_sent();
  return 0;
}
