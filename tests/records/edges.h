/* Texts that just fit into a record, and some that do not. */
#include "fake_port.h"
#include "tband.h"

int main(int count, char **arguments) {
  (void)count;
  (void)arguments;
  if (tband_start_streaming() != 0) {
    return 1;
  }
  TBAND_RECORD("%s", "12345678901234567890");
  TBAND_RECORD("%s", "1234567890123456789");
  TBAND_RECORD("%s", "123456789012345678901");
  TBAND_RECORD("%s", TBAND_CHARS("123456789012345678901", 20U));
  TBAND_RECORD("%s", TBAND_CHARS("123456789012345678901", 21U));
  /* Of two bytes each. */
  TBAND_RECORD("%s", "123456789012345678\1");
  TBAND_RECORD("%s", "1234567890123456789\1");
  TBAND_RECORD("%s", "12345678901234567\1\1");
  TBAND_RECORD("%s", "123456789012345678\1" "x");
  TBAND_RECORD("%s %d", "12345678901234567890", 7);
  TBAND_RECORD("%s%s", "12345678901234567890", "");
  TBAND_RECORD("%s %d", "1234567890123456789", 7);
  TBAND_BEGIN(1, NULL) TBAND_STR("12345678901234567") TBAND_END()
  TBAND_BEGIN(1, NULL) TBAND_STR("123456789012345678") TBAND_END()
  TBAND_BEGIN(1, NULL) TBAND_STR("12345678901234567") TBAND_U8(1) TBAND_END()
  if (tband_stop_streaming() != 0) {
    return 1;
  }
  fake_print_sent();
  return 0;
}
