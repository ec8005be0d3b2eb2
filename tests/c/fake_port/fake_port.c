/* See fake_port.h. Compiled once for all programs: nothing here depends on their configurations. */
#define _GNU_SOURCE
#include "fake_port.h"

#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

/* Constants of the shim, where a debugger finds how it is set up. With frames they are one. */
extern const char tband_debugger_setup[] __attribute__((weak));
extern const char tband_debugger_packets[] __attribute__((weak));

uint64_t fake_now;
uint64_t fake_step;
uint32_t fake_hz;
uint32_t fake_starts;
uint32_t fake_core;
bool fake_refuses;
uint32_t fake_refuses_for;
uint32_t fake_calls;
uint32_t fake_refused;
bool fake_nests;
void (*fake_while_sending)(void);
uint32_t fake_fulls;
void (*fake_before_enter)(void);
void (*fake_at_timestamp)(void);
void (*fake_before_lock)(void);
void (*fake_after_timestamp)(void);

static int depth;
static bool locked;
static uint8_t sent[1U << 20];
static size_t sent_len;

static void call_once(void (**hook)(void)) {
  void (*const called)(void) = *hook;
  *hook = NULL;
  if (called != NULL) {
    called();
  }
}

/* Inside the critical section of the core that runs. */
static bool is_inside(void) { return (depth == 1) || (fake_nests && (depth == 2)); }

uint64_t fake_timestamp(void) {
  CHECK(is_inside());
  call_once(&fake_at_timestamp);
  const uint64_t now = fake_now;
  fake_now += fake_step;
  call_once(&fake_after_timestamp);
  return now;
}

uint64_t fake_counter(unsigned bits, bool is_extended) {
  static uint64_t last;
  const uint64_t mask = (bits < 64U) ? ((1ULL << bits) - 1U) : UINT64_MAX;
  const uint64_t now = fake_timestamp() & mask;
  if (!is_extended) {
    return now;
  }
  last += (now - last) & mask;
  return last;
}

void fake_lock(void) {
  CHECK(is_inside());
  call_once(&fake_before_lock);
  CHECK(!locked);
  locked = true;
}

void fake_unlock(void) {
  CHECK(locked);
  locked = false;
}

void fake_start_timer(void) {
  CHECK(is_inside());
  fake_starts++;
}

uint64_t fake_started_timestamp(void) {
  const uint64_t now = fake_timestamp();
  return (fake_starts > 0) ? now : 0;
}

int fake_enter(void) {
  call_once(&fake_before_enter);
  CHECK(fake_nests || (depth == 0));
  return depth++;
}

void fake_exit(int before) {
  depth--;
  CHECK_EQ(depth, before);
}

uint32_t fake_core_id(void) {
  CHECK(is_inside());
  return fake_core;
}

bool fake_send(const uint8_t *data, size_t len) {
  CHECK(is_inside());
  CHECK(len > 0);
  CHECK(&tband_debugger_setup[0] != NULL);
  if (&tband_debugger_packets[0] != &tband_debugger_setup[0]) {
    CHECK((len >= 36) && (data[0] == 0xC1) && (data[3] == 0xC1)); /* a packet */
  } else {
    CHECK_EQ(data[len - 1], 0); /* whole frames */
  }
  fake_calls++;
  if (fake_while_sending != NULL) {
    fake_while_sending();
  }
  if (fake_refuses || (fake_refuses_for > 0)) {
    fake_refuses_for -= (fake_refuses_for > 0) ? 1 : 0;
    fake_refused++;
    return true;
  }
  CHECK(len <= sizeof(sent) - sent_len);
  memcpy(&sent[sent_len], data, len);
  sent_len += len;
  return false;
}

void fake_snapshot_full(void) {
  CHECK_EQ(depth, 1);
  fake_fulls++;
}

void fake_print(const volatile uint8_t *data, size_t len) {
  for (size_t at = 0; at < len; at++) {
    CHECK(putchar(data[at]) != EOF);
  }
}

void fake_forget_sent(void) { sent_len = 0; }

size_t fake_sent_len(void) { return sent_len; }

void fake_print_sent(void) { fake_print(sent, sent_len); }

const char *fake_at_edge(const char *text, size_t len) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  CHECK(len <= page);
  char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED);
  CHECK_EQ(mprotect(pages + page, page, PROT_NONE), 0);
  memcpy(pages + page - len, text, len);
  return pages + page - len;
}
