/* Firmware of tests/archive.rs, C and C++: records one event of each shape, and writes the recording to
 * trace.bin. With OTHER_RUST it also calls a second Rust library. */
#include "tband.h"

#ifdef __cplusplus
#define _Noreturn [[noreturn]] /* the board's headers are C */
extern "C" {
#endif
#include "semihost.h"
uint32_t archive_test_time;
uint32_t other_sum(const uint8_t *data, size_t len);
#ifdef __cplusplus
}
#endif

/* As wide as the compiler's options say; what it means to the library must not change. */
enum marker { MARKER_FIRST = 1, MARKER_LAST = 200 };

int main(void) {
  if (sizeof(enum marker) != EXPECTED_ENUM_SIZE) return 10;
  tband_isr_name(3, "timer");
  if (tband_trigger_snapshot() != 0) return 11;
  tband_isr_enter(3);
  tband_isr_exit(3);
  tband_evtmarker(MARKER_FIRST, "hello");
  tband_valmarker(MARKER_LAST, -1234567890123456789);
  if (tband_stop_snapshot() != 0) return 12;
#ifdef OTHER_RUST
  static const uint8_t numbers[] = {1, 2, 3, 250};
  if (other_sum(numbers, sizeof numbers) != 256) return 13;
#endif
  const int file = semihost_create("trace.bin");
  if (file < 0) return 14;
  if (!semihost_write(file, (const void *)tband_get_metadata_buf(0), tband_get_metadata_buf_amnt(0))) return 15;
  if (!semihost_write(file, (const void *)tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0)))
    return 16;
  return semihost_close(file) ? 0 : 17;
}
