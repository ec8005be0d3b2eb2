/* Every entry point of the recorder on a kernel with two cores that run at the same time: from each core while the
 * other one records, from both at once, with the scheduler suspended, while nothing is recorded, and in interrupts of
 * both cores. After each call the recorder records a marker. Writes failures.txt, names.txt and the recordings. */
#include <string.h>

#include "FreeRTOS.h"

#include "entries.h"
#include "event_groups.h"
#include "failures.h"
#include "queue.h"
#include "semihost.h"
#include "stream_buffer.h"
#include "task.h"
#include "tband_ring.h"

enum { CORES = 2, STACK = 1024, PRIORITY = 5, MARKER = 2, VALUE = 3 };
enum { RAISE_CALL = 2 }; /* a reason of a software interrupt */

static int trace;

/* Tasks are bound to their cores. */
static UBaseType_t masked[CORES];
void entries_mask(void) {
  const UBaseType_t before = portSET_INTERRUPT_MASK();
  masked[portGET_CORE_ID()] = before;
}
void entries_unmask(void) { portCLEAR_INTERRUPT_MASK(masked[portGET_CORE_ID()]); }

void recording_is_full(void);
void recording_is_full(void) {}

/* ---- The recording ----------------------------------------------------------------------------- */

#if !TBAND_USES_PACKETS
TBAND_RING(recording_ring, 1024 * 1024);
#endif

static bool has(const uint8_t *bytes, size_t len, const char *text) {
  const size_t text_len = strlen(text);
  for (size_t at = 0; at + text_len <= len; at++) {
    if (memcmp(&bytes[at], text, text_len) == 0) {
      return true;
    }
  }
  return false;
}

static void keep(const uint8_t *bytes, size_t len) {
  configASSERT((len == 0U) || semihost_write(trace, bytes, len));
}

void entries_sends(const uint8_t *bytes, size_t len) {
  if (tband_configUSE_BACKEND_STREAMING && (bytes != NULL)) {
    keep(bytes, len);
  }
}

/* Takes what there is. The text is in it; NULL: nothing is wanted. */
static bool drain(const char *text) {
  bool is_there = false;
#if TBAND_USES_PACKETS
  static uint8_t bytes[256 * 1024];
  const size_t len = tband_stream_read(bytes, sizeof bytes);
  is_there = (text != NULL) && has(bytes, len, text);
#if tband_configUSE_BACKEND_STREAMING
  keep(bytes, len);
#endif
#elif tband_configUSE_BACKEND_STREAMING
  const uint8_t *bytes;
  size_t len;
  while ((len = tband_ring_peek(&recording_ring, &bytes)) != 0U) {
    is_there = is_there || ((text != NULL) && has(bytes, len, text));
    keep(bytes, len);
    tband_ring_skip(&recording_ring, len);
  }
#else
  for (unsigned core = 0; (text != NULL) && (core < CORES); core++) {
    is_there = is_there || has((const uint8_t *)(uintptr_t)tband_get_core_snapshot_buf(core),
                               tband_get_core_snapshot_buf_amnt(core), text);
  }
#endif
  return is_there;
}

/* ---- Both cores ----------------------------------------------------------------------------------- */

enum { REST, NOISE, CALL, CALL_IN_ISR };
static volatile int wanted[CORES];
static const struct entry *volatile entry_of[CORES];
static volatile uint32_t rounds;

static void in_isr(BaseType_t core) {
  (void)entry_of[core]->call();
  wanted[core] = REST;
}

void application_interrupt(BaseType_t core, uint32_t code) {
  if (code == PORT_TIMER_INTERRUPT) {
    port_tick();
  } else if ((port_software_interrupt() & RAISE_CALL) != 0U) {
    in_isr(core);
  }
}

/* Performs the wanted action of a core: a marker, one call, or nothing. */
static void act(BaseType_t core) {
  const int what = wanted[core];
  if (what == NOISE) {
    tband_valmarker(VALUE, (int64_t)rounds);
    rounds++;
  } else if (what == CALL) {
    (void)entry_of[core]->call();
    wanted[core] = REST;
  }
}

static void other(void *unused) {
  (void)unused;
  for (;;) {
    act(1);
  }
}

static void ask(BaseType_t core, int what, const struct entry *entry) {
  entry_of[core] = entry;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  wanted[core] = what;
  if (what == CALL_IN_ISR) {
    port_raise(core, RAISE_CALL);
  }
}

static void wait_for(BaseType_t core) {
  while (wanted[core] != REST) {
  }
}

/* The other core records, and stops doing that in the middle of nothing. */
static void begin_noise(void) {
  const uint32_t before = rounds;
  ask(1, NOISE, NULL);
  while (rounds == before) {
  }
}

static void end_noise(void) {
  wanted[1] = REST;
  const uint32_t before = rounds;
  for (volatile int wait = 0; (wait < 2000) || (rounds != before && wait < 4000); wait++) {
  }
}

/* Packets are taken, and commands received and executed, in one context at a time. */
static bool has_one_user(const struct entry *entry) {
  static const char *const names[] = {"tband_packet_take", "tband_packet_done", "tband_stream_read", "tband_received",
                                      "tband_obey"};
  for (size_t at = 0; at < sizeof names / sizeof names[0]; at++) {
    if (strcmp(names[at], entry->name) == 0) {
      return true;
    }
  }
  return false;
}

/* ---- Contexts --------------------------------------------------------------------------------------- */

static void call_on_first(const struct entry *entry) {
  begin_noise();
  (void)entry->call();
  end_noise();
}

static void call_on_other(const struct entry *entry) {
  ask(1, CALL, entry);
  while (wanted[1] != REST) {
    tband_valmarker(VALUE, 1);
  }
}

static void call_on_both(const struct entry *entry) {
  if (!has_one_user(entry)) {
    ask(1, CALL, entry);
    (void)entry->call();
    wait_for(1);
  }
}

/* The other core may have to wait for the scheduler in the middle of its call. */
static void call_suspended(const struct entry *entry) {
  vTaskSuspendAll();
  if (!has_one_user(entry)) {
    ask(1, CALL, entry);
  }
  (void)entry->call();
  (void)xTaskResumeAll();
  wait_for(1);
}

static void call_stopped(const struct entry *entry) {
  entries_stop();
  call_on_both(entry);
}

static void call_in_interrupts(const struct entry *entry) {
  if (entry->where == ANYWHERE) {
    ask(1, CALL_IN_ISR, entry);
    if (has_one_user(entry)) {
      wait_for(1);
    }
    ask(0, CALL_IN_ISR, entry);
    wait_for(0);
    wait_for(1);
  }
}

/* The other core may be in the middle of an event, and what it records is read after that. */
static void stop_wholly(void) {
  entries_stop();
  while (!tband_tracing_finished()) {
  }
}

static void each(const char *where, void (*call)(const struct entry *)) {
  context = where;
  for (size_t at = 0; at < entry_count; at++) {
    /* A new recording, so that it has room for the events. */
    entries_stop();
    (void)drain(NULL);
    entries_restore();
    call(&entry_list[at]);
    entries_restore();
    stop_wholly();
    (void)drain(NULL);
    entries_mark(&entry_list[at]);
    stop_wholly();
    if (!drain(entry_list[at].name)) {
      entries_fail("nothing is recorded after", &entry_list[at]);
    }
  }
}

static void write_file(const char *name, const char *text, size_t len) {
  const int file = semihost_create(name);
  configASSERT(file >= 0 && ((len == 0U) || semihost_write(file, text, len)) && semihost_close(file));
}

static void supervisor(void *unused) {
  (void)unused;
  each("core 0", call_on_first);
  each("core 1", call_on_other);
  each("both cores", call_on_both);
  each("suspended", call_suspended);
  each("stopped", call_stopped);
  each("interrupts", call_in_interrupts);
  (void)portSET_INTERRUPT_MASK();
  write_file("failures.txt", failures, failures_len);
  failures_len = 0;
  for (size_t at = 0; at < entry_count; at++) {
    put(entry_list[at].name);
    put("\n");
  }
  write_file("names.txt", failures, failures_len);
  configASSERT(semihost_close(trace));
  semihost_exit(0);
}

void vApplicationIdleHook(void);
void vApplicationIdleHook(void) {}
void vApplicationPassiveIdleHook(void);
void vApplicationPassiveIdleHook(void) {}
void vApplicationMallocFailedHook(void);
void vApplicationMallocFailedHook(void) { configASSERT(!"out of heap"); }
void vApplicationStackOverflowHook(TaskHandle_t task, char *name);
void vApplicationStackOverflowHook(TaskHandle_t task, char *name) {
  (void)task;
  (void)name;
  configASSERT(!"stack overflow");
}

int main(void) {
  trace = semihost_create("trace.bin");
  entries.queue = xQueueCreate(2, 4);
  entries.stream_buffer = xStreamBufferCreate(16, 1);
  entries.event_group = xEventGroupCreate();
  entries.timer = NULL;
  TaskHandle_t tasks[CORES] = {NULL, NULL};
  configASSERT(xTaskCreate(supervisor, "supervisor", STACK, NULL, PRIORITY, &tasks[0]) == pdPASS);
  configASSERT(xTaskCreate(other, "other", STACK, NULL, PRIORITY, &tasks[1]) == pdPASS);
  vTaskCoreAffinitySet(tasks[0], 1);
  vTaskCoreAffinitySet(tasks[1], 2);
  entries.task = tasks[1];
  vTaskStartScheduler();
  return 1;
}
