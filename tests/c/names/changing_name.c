/* Texts that change while they are copied. The text is on a page that may not be read, so each read of a byte
 * of it raises a signal. Before each read in turn the text becomes longer or shorter, at its end, before it or
 * after it. Each byte is read once for each copy, and no byte after the longest. The recorder writes one of the
 * states or a mixture of both, always as whole frames, and never beyond its memory: the program checks the
 * guards after that memory, and writes the final content for the test to decode. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "check.h"
#include "fake_port.h"
#include "tband.h"

enum { LONGEST = tband_configMAX_STR_LEN, ROOM = 2 * LONGEST, PAGE = 4096, SINGLE_STEP = 0x100 };

static volatile char *text;
static uint32_t place; /* where the text ends, or begins to end */
static bool grows;
static uint32_t change_at; /* before which read it changes, counted from 1 */
static uint32_t reads;
static uint32_t reads_of[ROOM];

static void may_be_read(int protection) { CHECK_EQ(mprotect((void *)text, PAGE, protection), 0); }

static void is_read(int number, siginfo_t *info, void *context) {
  (void)number;
  const uintptr_t at = (uintptr_t)info->si_addr - (uintptr_t)text;
  CHECK(at < ROOM);
  reads_of[at]++;
  reads++;
  may_be_read(PROT_READ | PROT_WRITE);
  if (reads == change_at) {
    text[place] = grows ? 'x' : '\0';
  }
  ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] |= SINGLE_STEP;
}

static void was_read(int number, siginfo_t *info, void *context) {
  (void)number;
  (void)info;
  may_be_read(PROT_NONE);
  ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)SINGLE_STEP;
}

static void listen(int number, void (*handler)(int, siginfo_t *, void *)) {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  CHECK_EQ(sigaction(number, &action, NULL), 0);
}

/* Records with the text changed before a read. Returns false if there were not that many. */
static bool changed_at(uint32_t read, uint32_t copies, void (*records)(const char *)) {
  for (uint32_t at = 0; at < ROOM; at++) {
    text[at] = (char)('a' + (char)(at % 26U));
  }
  if (grows) {
    text[place] = '\0';
  }
  memset(reads_of, 0, sizeof(reads_of));
  reads = 0;
  change_at = read;
  may_be_read(PROT_NONE);
  records((const char *)text);
  may_be_read(PROT_READ | PROT_WRITE);
  for (uint32_t at = 0; at < ROOM; at++) {
    CHECK(reads_of[at] <= ((at < LONGEST) ? copies : 0U));
  }
  return reads >= read;
}

#if tband_configUSE_BACKEND_EXTERNAL
bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata) {
  (void)is_metadata;
  return fake_send(buf, len);
}
#endif

/* Whole frames: each block contains the distance to the next one, and a zero ends them. */
static void check_frames(const volatile uint8_t *bytes, size_t len) {
  size_t at = 0;
  while (at < len) {
    const uint8_t code = bytes[at];
    CHECK(code == 0 || at + code < len);
    at += (code == 0) ? 1U : (size_t)code;
    CHECK(at <= len);
  }
  CHECK(len == 0 || bytes[len - 1] == 0);
}

static void start(void) {
#if tband_configUSE_BACKEND_SNAPSHOT
  CHECK_EQ(tband_trigger_snapshot(), 0);
#elif tband_configUSE_BACKEND_STREAMING
  CHECK_EQ(tband_start_streaming(), 0);
#endif
}

static void stop(void) {
#if tband_configUSE_BACKEND_SNAPSHOT
  (void)tband_stop_snapshot(); /* it may be full */
  CHECK(tband_get_core_snapshot_buf_amnt(0) <= tband_configBACKEND_SNAPSHOT_BUF_SIZE);
  check_frames(tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
  CHECK_EQ(tband_reset_snapshot(), 0);
#elif tband_configUSE_BACKEND_STREAMING
  CHECK_EQ(tband_stop_streaming(), 0);
#endif
}

static void a_name(const char *name) { tband_isr_name(3, name); }
static void a_message(const char *message) { tband_evtmarker(4, message); }

int main(void) {
  text = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK((const volatile void *)text != MAP_FAILED);
  listen(SIGSEGV, &is_read);
  listen(SIGTRAP, &was_read);

  tband_isr_name(1, "fixed");
  static const uint32_t places[] = {0, 1, 2, LONGEST / 2, LONGEST - 1, LONGEST, LONGEST + 1};
  void (*const records[])(const char *) = {&a_name, &a_message};
  uint32_t changes = 0;
  for (uint32_t kind = 0; kind < 2; kind++) {
    /* A name is copied into the metadata buffer and into the recording. */
    const uint32_t copies = (kind == 0) ? 2 : 1;
    for (uint32_t index = 0; index < sizeof(places) / sizeof(places[0]); index++) {
      for (uint32_t way = 0; way < 2; way++) {
        place = places[index];
        grows = way == 0;
        bool more = true;
        for (uint32_t read = 1; more; read++) {
          start();
          more = changed_at(read, copies, records[kind]);
          changes++;
          stop();
          CHECK(tband_get_metadata_buf_amnt(0) <= tband_configMETADATA_BUF_SIZE);
          check_frames(tband_get_metadata_buf(0), tband_get_metadata_buf_amnt(0));
        }
      }
    }
  }
  CHECK(changes > 500);
  fake_print(tband_get_metadata_buf(0), tband_get_metadata_buf_amnt(0));
#if !tband_configUSE_BACKEND_SNAPSHOT
  fake_print_sent();
#endif
  return 0;
}
