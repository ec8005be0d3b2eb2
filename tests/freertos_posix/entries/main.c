/* Every entry point of the recorder in each context of the POSIX port: before the scheduler, in a task, with the
 * scheduler suspended, while nothing is recorded, in an interrupt, which is the tick. failures.txt has what did not
 * work: after each call the recorder records a marker. */
#include "entries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "FreeRTOS.h"
#include "event_groups.h"
#include "queue.h"
#include "stream_buffer.h"
#include "task.h"

static FILE *failures;
static const char *context;
static const struct entry *volatile in_tick;

void an_assertion_fails(void) { abort(); }

void entries_fail(const char *what, const struct entry *entry) {
  (void)fprintf(failures, "%s: %s %s\n", context, what, entry->name);
}

void entries_mask(void) { taskENTER_CRITICAL(); }
void entries_unmask(void) { taskEXIT_CRITICAL(); }

void entries_sends(const uint8_t *bytes, size_t len) {
  (void)bytes;
  (void)len;
}

void vApplicationTickHook(void);
void vApplicationTickHook(void) {
  const struct entry *const entry = in_tick;
  if (entry != NULL) {
    (void)entry->call();
    in_tick = NULL;
  }
}

static void call_here(const struct entry *entry) { (void)entry->call(); }

static void call_suspended(const struct entry *entry) {
  vTaskSuspendAll();
  (void)entry->call();
  (void)xTaskResumeAll();
}

static void call_stopped(const struct entry *entry) {
  entries_stop();
  (void)entry->call();
}

static void call_in_tick(const struct entry *entry) {
  if (entry->where == ANYWHERE) {
    in_tick = entry;
    while (in_tick != NULL) {
      vTaskDelay(1);
    }
  }
}

/* The recording contains the marker's text. */
static bool is_recorded(const char *name) {
  const size_t len = strlen(name);
#if TBAND_USES_PACKETS
  static uint8_t bytes[1024 * 1024];
  const size_t amount = tband_stream_read(bytes, sizeof bytes);
#else
  const uint8_t *const bytes = (const uint8_t *)(uintptr_t)tband_get_core_snapshot_buf(0);
  const size_t amount = tband_get_core_snapshot_buf_amnt(0);
#endif
  for (size_t at = 0; at + len <= amount; at++) {
    if (memcmp(&bytes[at], name, len) == 0) {
      return true;
    }
  }
  return false;
}

static void each(const char *where, void (*call)(const struct entry *)) {
  context = where;
  for (size_t at = 0; at < entry_count; at++) {
    /* A new recording, so that it has room for the events. */
    entries_stop();
    entries_restore();
    call(&entry_list[at]);
    entries_restore();
    entries_mark(&entry_list[at]);
    entries_stop();
    if (!is_recorded(entry_list[at].name)) {
      entries_fail("nothing is recorded after", &entry_list[at]);
    }
  }
}

static void ends(void) {
  (void)fprintf(failures, "%u entries\n", (unsigned)entry_count);
  (void)fclose(failures);
  exit(0);
}

static void supervisor(void *unused) {
  (void)unused;
  each("task", call_here);
  each("suspended", call_suspended);
  each("stopped", call_stopped);
  each("interrupt", call_in_tick);
  ends();
}

int main(void) {
  failures = fopen("failures.txt", "w");
  entries.queue = xQueueCreate(2, 4);
  entries.stream_buffer = xStreamBufferCreate(16, 1);
  entries.event_group = xEventGroupCreate();
  entries.timer = NULL;
  TaskHandle_t task = NULL;
  if ((failures == NULL) || (xTaskCreate(supervisor, "all", configMINIMAL_STACK_SIZE * 4, NULL, 2, &task) != pdPASS)) {
    return 1;
  }
  entries.task = task;
  each("before the scheduler", call_here);
  vTaskStartScheduler();
  return 1;
}
