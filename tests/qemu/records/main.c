/* Records of the application's own, of every type; the recording goes to trace.bin. */
#include "recording.h"
#include "semihost.h"
#include "tband.h"

void more(void); /* in C++ */

static int position = -7;
static const char *const name = "motor";
static const uint8_t received[] = {0x10, 0, 0xFF, 0, 0};

enum { PHILO_STAT = 5, TIMEOUT_SIG = 7, IDLE_STATE = 0, BUSY_STATE = 1, STATES = 3 };

static uint32_t philosopher;
static uint8_t buffer[4];

static void dictionaries(void) {
  TBAND_OBJ_DICTIONARY(&philosopher);
  TBAND_FUN_DICTIONARY(dictionaries);
  TBAND_TYPE_DICTIONARY(PHILO_STAT);
  TBAND_SIG_DICTIONARY(TIMEOUT_SIG);
  TBAND_ENUM_DICTIONARY(STATES, BUSY_STATE);
}

static void elements(void) {
  TBAND_BEGIN(PHILO_STAT, &philosopher)
    TBAND_U8(200)
    TBAND_STR("thinking")
    TBAND_SIG(TIMEOUT_SIG)
    TBAND_ENUM(STATES, BUSY_STATE)
    TBAND_ENUM(STATES, IDLE_STATE)
  TBAND_END()
  __asm volatile("cpsid i");
  TBAND_BEGIN(6, NULL)
    TBAND_I8(-128) TBAND_U16(65535U) TBAND_I16(-32768) TBAND_U32(UINT32_MAX) TBAND_I32(INT32_MIN)
  TBAND_END_NOCRIT()
  __asm volatile("cpsie i");
  TBAND_BEGIN(7, NULL)
    TBAND_U64(UINT64_MAX) TBAND_I64(INT64_MIN) TBAND_BOOL(true)
  TBAND_END()
  TBAND_BEGIN(8, NULL)
    TBAND_F32(1.5F) TBAND_F64(-0.25) TBAND_BYTES(received, sizeof(received)) TBAND_FUNCTION(dictionaries)
  TBAND_END()
  TBAND_BEGIN(9, NULL)
    TBAND_STR("a text that has more characters than fit into a record")
    TBAND_U8(1)
  TBAND_END()
}

static inline void inlined(unsigned number) { TBAND_RECORD("inlined %u", number); }

void never_called(void);
void never_called(void) { TBAND_RECORD("this is not in the program"); }

static void record(void) {
  TBAND_RECORD(FIRST_TEXT, position, 100U);
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
  elements();
}

/* The vector table is at address 0. */
static void pointers(void) {
  buffer[0] = 1;
  TBAND_RECORD("%p %p %p", (void *)0, (void *)buffer, (void *)&buffer[1]);
  TBAND_BEGIN(10, &buffer[2])
    TBAND_OBJ(NULL) TBAND_FUNCTION(pointers)
  TBAND_END()
}

int main(void) {
  if (!recording_start()) {
    semihost_exit(1);
  }
  dictionaries();
  record();
  pointers();
  semihost_exit((recording_stop() && recording_save()) ? 0 : 2);
}
