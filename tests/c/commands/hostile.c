/* Passes bytes of a host, from a script, to port/tband_commands.c, and writes the results of each step.
 *
 * Arguments: the script, the address of a page, and the first and the last address that commands may touch, in
 * hexadecimal, and how many values a command may write. Nothing may be read or written before and after the page. After
 * each step the program compares each byte of the page outside of the allowed addresses. The script's steps, and the
 * results of each: `r LEN BYTES`   bytes come over the line; whether they did not fit
 * `m READ WRITE BYTES`   a debugger writes the whole mailbox; nothing
 * `o`   one call of tband_obey(); its result, how many basic blocks of C it ran, the length of the recorded bytes, and
 * these `s`   the page, how often a command was called, a sum over the arguments, how often a reset */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "fake_port.h"
#include "tband.h"

#if defined(__clang__)
#define NOT_COUNTED __attribute__((no_sanitize("coverage")))
#else
#define NOT_COUNTED __attribute__((no_sanitize_coverage))
#endif

static uint32_t blocks;

/* Called in each basic block. */
void __sanitizer_cov_trace_pc(void);
NOT_COUNTED void __sanitizer_cov_trace_pc(void) { blocks++; }

uint32_t hostile_first;
uint32_t hostile_last;
uint32_t hostile_most;

#if HOSTILE_IS_ALLOWED
static uint32_t calls;
static uint32_t sum;
static uint32_t resets;

static int32_t on_command(uint32_t number, uint32_t a, uint32_t b, uint32_t c) {
  calls++;
  sum = (sum * 31U) + number + (3U * a) + (5U * b) + (7U * c);
  return (int32_t)sum;
}

static void on_reset(void) { resets++; }
#else
static const uint32_t calls = 0;
static const uint32_t sum = 0;
static const uint32_t resets = 0;
#endif

#include "tband_commands.c"

enum { PAGE = 4096 };

static FILE *script;
static uint8_t *page;
static uint8_t filled[PAGE];

static uint32_t next(size_t len) {
  uint32_t value = 0;
  CHECK_EQ(fread(&value, 1, len, script), len);
  return value;
}

static void write_out(uint32_t value, size_t len) { CHECK_EQ(fwrite(&value, 1, len, stdout), len); }

/* The commands have written to allowed addresses only. */
static void look_around(void) {
  const uint32_t from = (uint32_t)(uintptr_t)page;
  const size_t before = (hostile_first <= hostile_last) ? (hostile_first - from) : PAGE;
  const size_t after = (hostile_first <= hostile_last) ? ((size_t)(hostile_last - from) + 1U) : PAGE;
  CHECK(memcmp(page, filled, before) == 0);
  CHECK(memcmp(page + after, filled + after, PAGE - after) == 0);
}

static void obey(void) {
  fake_forget_sent();
  blocks = 0;
  const bool was_there = tband_obey();
  const uint32_t took = blocks;
  look_around();
  write_out(was_there ? 1U : 0U, 1);
  write_out(took, 4);
  write_out((uint32_t)fake_sent_len(), 4);
  fake_print_sent();
}

static void make_page(const char *address) {
  const uintptr_t at = (uintptr_t)strtoull(address, NULL, 16);
  CHECK_EQ(sysconf(_SC_PAGESIZE), PAGE);
  uint8_t *const pages = mmap((void *)(at - PAGE), 3 * PAGE, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  CHECK_EQ((uintptr_t)pages, at - PAGE);
  page = pages + PAGE;
  CHECK_EQ(mprotect(page, PAGE, PROT_READ | PROT_WRITE), 0);
  for (uint32_t index = 0; index < PAGE; index++) {
    filled[index] = (uint8_t)((index * 7U) + (index >> 8));
  }
  memcpy(page, filled, PAGE);
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 6);
  script = fopen(argv[1], "rb");
  CHECK(script != NULL);
  make_page(argv[2]);
  hostile_first = (uint32_t)strtoul(argv[3], NULL, 16);
  hostile_last = (uint32_t)strtoul(argv[4], NULL, 16);
  hostile_most = (uint32_t)strtoul(argv[5], NULL, 16);
  fake_step = 1;
  CHECK_EQ(tband_start_streaming(), 0);
  uint8_t bytes[256];
  for (;;) {
    switch (fgetc(script)) {
      case 'r': {
        const size_t len = next(1);
        CHECK_EQ(fread(bytes, 1, len, script), len);
        write_out(tband_received(bytes, len) ? 1U : 0U, 1);
        break;
      }
      case 'm':
        tband_mailbox.read = next(4);
        tband_mailbox.write = next(4);
        CHECK_EQ(fread(tband_mailbox_memory, 1, sizeof(tband_mailbox_memory), script), sizeof(tband_mailbox_memory));
        break;
      case 'o':
        obey();
        break;
      case 's':
        CHECK_EQ(fwrite(page, 1, PAGE, stdout), PAGE);
        write_out(calls, 4);
        write_out(sum, 4);
        write_out(resets, 4);
        break;
      default:
        CHECK(feof(script));
        return 0;
    }
  }
}
