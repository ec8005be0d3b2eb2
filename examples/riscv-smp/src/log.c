/* See log.h. */
#include "log.h"

#include "app.h"
#include "semihost.h"

#ifdef APP_LOG

enum { ENTRIES = 1 << 18, WORDS = 4 };

/* `written` belongs to the core, `sent` to the task that sends; both count up without end. */
static struct {
  uint32_t written;
  uint32_t sent;
  int file;
} logs[CORES];
__attribute__((section(".noinit"))) static uint32_t entries[CORES][ENTRIES][WORDS];

void log_append(enum log_kind kind, uint32_t a, uint32_t b) {
  const BaseType_t core = portGET_CORE_ID();
  const uint32_t at = logs[core].written;
  configASSERT(at - __atomic_load_n(&logs[core].sent, __ATOMIC_ACQUIRE) < ENTRIES);
  uint32_t *const entry = entries[core][at % ENTRIES];
  entry[0] = port_low_time();
  entry[1] = (uint32_t)kind;
  entry[2] = a;
  entry[3] = b;
  __atomic_store_n(&logs[core].written, at + 1U, __ATOMIC_RELEASE);
}

static int file_of(uint32_t core) {
  char name[] = "log0.bin";
  name[3] = (char)('0' + core);
  return semihost_create(name);
}

static uint32_t written_by(uint32_t core) { return __atomic_load_n(&logs[core].written, __ATOMIC_ACQUIRE); }

/* Entries up to this one, as many as lie in one piece. */
static void send_up_to(uint32_t core, uint32_t end) {
  if (logs[core].file == 0) {
    logs[core].file = file_of(core);
  }
  const uint32_t sent = logs[core].sent;
  const uint32_t to_the_end = ENTRIES - sent % ENTRIES;
  const uint32_t count = (end - sent < to_the_end) ? end - sent : to_the_end;
  if (count > 0U) {
    configASSERT(semihost_write(logs[core].file, entries[core][sent % ENTRIES], count * sizeof entries[0][0]));
    __atomic_store_n(&logs[core].sent, sent + count, __ATOMIC_RELEASE);
  }
}

void log_send(void) {
  for (uint32_t core = 0; core < CORES; core++) {
    send_up_to(core, written_by(core));
  }
}

void log_finish(void) {
  for (uint32_t core = 0; core < CORES; core++) {
    const uint32_t end = written_by(core);
    while (logs[core].sent != end) {
      send_up_to(core, end);
    }
    configASSERT(semihost_close(logs[core].file));
  }
}

uint32_t log_eighths(void) {
  uint32_t fullest = 0;
  for (uint32_t core = 0; core < CORES; core++) {
    const uint32_t used = written_by(core) - __atomic_load_n(&logs[core].sent, __ATOMIC_RELAXED);
    fullest = (used > fullest) ? used : fullest;
  }
  return (fullest + ENTRIES / 8U - 1U) / (ENTRIES / 8U);
}

#else

void log_append(enum log_kind kind, uint32_t a, uint32_t b) {
  (void)kind;
  (void)a;
  (void)b;
}

void log_send(void) {}

void log_finish(void) {}

uint32_t log_eighths(void) { return 0; }

#endif

/* --- Recorded and written down ------------------------------------------------------------------ */

void record_value(uint32_t id, int32_t value) {
  const UBaseType_t before = portSET_INTERRUPT_MASK();
  log_append(LOG_VALUE, id, (uint32_t)value);
  tband_valmarker(id, value);
  portCLEAR_INTERRUPT_MASK(before);
}

void record_step(uint32_t id, uint32_t step) {
  static const char *const texts[] = {"one", "two and more", "three", "twenty characters, 4"};
  const UBaseType_t before = portSET_INTERRUPT_MASK();
  log_append(LOG_STEP, id, step % 4U);
  tband_evtmarker(id, texts[step % 4U]);
  portCLEAR_INTERRUPT_MASK(before);
}

void record_isr_enter(uint32_t id) {
  log_append(LOG_ISR_ENTER, id, 0);
  tband_isr_enter(id);
}

void record_isr_exit(uint32_t id) {
  log_append(LOG_ISR_EXIT, id, 0);
  tband_isr_exit(id);
}
