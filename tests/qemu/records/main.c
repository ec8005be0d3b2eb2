/* Records of the application's own, of every type; the recording goes to trace.bin. */
#include "recording.h"
#include "semihost.h"
#include "tband.h"

void more(void); /* in C++ */

static int position = -7;
static const char *const name = "motor";
static const uint8_t received[] = {0x10, 0, 0xFF, 0, 0};

static inline void inlined(unsigned number) { TBAND_RECORD("inlined %u", number); }

void never_called(void);
void never_called(void) { TBAND_RECORD("this is not in the program"); }

static void record(void) {
  TBAND_RECORD("pos %d of %u", position, 100U);
  TBAND_RECORD_BEGIN("job %d", 1);
  TBAND_RECORD("%s: %.2f V, %d", name, 3.25, true);
  TBAND_RECORD("received %p", TBAND_MEM(received, sizeof(received)));
  TBAND_RECORD("by %p", TBAND_FUN(record));
  TBAND_RECORD("speed=%d, load=%u%%", -1500, 73U);
  TBAND_RECORD("%lld %llu %ld %hhd %c", INT64_MIN, UINT64_MAX, -1L, (signed char)-128, 'x');
  TBAND_RECORD("a long text: %s, %d", "which has no room in a record of 40 bytes", 5);
  inlined(1);
  TBAND_RECORD_END("done");
  more();
}

int main(void) {
  if (!recording_start()) {
    semihost_exit(1);
  }
  record();
  semihost_exit((recording_stop() && recording_save()) ? 0 : 2);
}
