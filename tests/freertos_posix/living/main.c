/* Creates and deletes semaphores on the real kernel, names some, and writes a snapshot that starts then, and the
 * names of the named objects that live, a name a line. Arguments: how many live at a time, how many are created in all.
 *
 * Then a task's priority is set to one that is too high: files of the metadata buffer from when the kernel has yet to
 * take it, and from after. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"

#include "tband.h"

static void write_file(const char *name, const volatile uint8_t *bytes, size_t size) {
  FILE *const file = fopen(name, "wb");
  if (file == NULL) {
    abort();
  }
  for (size_t at = 0; at < size; at++) {
    (void)fputc(bytes[at], file);
  }
  (void)fclose(file);
}

static void write_metadata(const char *name) {
  write_file(name, tband_get_metadata_buf(0), tband_get_metadata_buf_amnt(0));
}

static const char *assertion_writes;

void an_assertion_fails(void) {
  if (assertion_writes == NULL) {
    abort();
  }
  write_metadata(assertion_writes);
  assertion_writes = NULL;
}

static void never_runs(void *unused) { (void)unused; }

static SemaphoreHandle_t create(int number) {
  if (number % 3 == 0) {
    return xSemaphoreCreateMutex();
  }
  return (number % 3 == 1) ? xSemaphoreCreateBinary() : xSemaphoreCreateCounting(3, 1);
}

int main(int count, char **arguments) {
  enum { MOST = 1000 };
  static SemaphoreHandle_t living[MOST];
  static char names[MOST][24];
  if (count != 3) {
    return 2;
  }
  const int places = atoi(arguments[1]);
  const int all = atoi(arguments[2]);
  if ((places < 1) || (places > MOST)) {
    return 2;
  }
  TaskHandle_t task = NULL;
  if (xTaskCreate(never_runs, "never_runs", configMINIMAL_STACK_SIZE, NULL, 1, &task) != pdPASS) {
    return 1;
  }
  unsigned random = 1;
  for (int number = 0; number < all; number++) {
    random = (random * 1664525U) + 1013904223U;
    const int place = (number < places) ? number : (int)((random >> 16) % (unsigned)places);
    if (living[place] != NULL) {
      vSemaphoreDelete(living[place]);
    }
    living[place] = create(number);
    /* Some have names, of one to nine characters. */
    names[place][0] = '\0';
    if (random % 2U == 0U) {
      (void)snprintf(names[place], sizeof(names[place]), "%.*s%d", (int)(random >> 30) * 2, "abcdef", number);
      tband_freertos_queue_name(living[place], names[place]);
    }
  }

  (void)tband_trigger_snapshot();
  (void)tband_stop_snapshot();
  write_file("trace.bin", tband_get_core_snapshot_buf(0), tband_get_core_snapshot_buf_amnt(0));
  for (int place = 0; place < places; place++) {
    if (names[place][0] != '\0') {
      (void)printf("%s\n", names[place]);
    }
  }
  (void)printf("dropped %u\n", (unsigned)tband_get_metadata_dropped_cnt(0));

  assertion_writes = "before.bin";
  vTaskPrioritySet(task, 99);
  write_metadata("after.bin");
  return 0;
}
