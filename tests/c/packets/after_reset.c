/* Models a reset: a second process starts with the first one's memory of packets, and with nothing else. It must find
 * the recording, whatever the memory contained before the first start. Writes the recordings that it finds. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "fake_port.h"
#include "tband.h"

/* Where the configuration has tband_configPACKET_BUF_ATTRIBUTE put it. */
extern uint8_t __start_kept[];
extern uint8_t __stop_kept[];

static void record(int64_t from) {
  CHECK_EQ(tband_start_post_mortem(), 0);
  tband_evtmarker_name(7, "seven");
  for (int64_t value = from; value < from + 300; value++) {
    tband_valmarker(7, value);
  }
}

static void print_all(void) {
  uint8_t bytes[512];
  size_t len;
  while ((len = tband_stream_read(bytes, sizeof(bytes))) != 0U) {
    fake_print(bytes, len);
  }
}

static void before(void) {
  CHECK(!tband_post_mortem_available());
  record(0);
}

/* Prints the recording before the reset, and records again. */
static void after(void) {
  CHECK(tband_post_mortem_available());
  print_all();
  record(1000);
  CHECK_EQ(tband_freeze(), 0);
  print_all();
}

static void run(void (*of_process)(void), uint8_t *kept, size_t len) {
  const pid_t process = fork();
  CHECK(process >= 0);
  if (process == 0) {
    memcpy(__start_kept, kept, len);
    fake_step = 3;
    of_process();
    memcpy(kept, __start_kept, len);
    CHECK_EQ(fflush(stdout), 0);
    _exit(0);
  }
  int status = 1;
  CHECK_EQ(waitpid(process, &status, 0), process);
  CHECK_EQ(status, 0);
}

int main(void) {
  const size_t len = (size_t)(__stop_kept - __start_kept);
  uint8_t *const kept = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(kept != MAP_FAILED);
  memset(kept, 0xA5, len);
  run(before, kept, len);
  run(after, kept, len);
  return 0;
}
