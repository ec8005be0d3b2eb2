/* See harness.h. The driver starts with the highest priority, so that the recording begins before any
 * other task has run. */
#include "harness.h"

#include <stdarg.h>

#ifdef HOOK_MASKS
#include "masks.h"
#endif
#include "semphr.h"

/* --- The log --------------------------------------------------------------------------------- */

static char text[256 * 1024] HARNESS_BIG;
static size_t len;

static void put(char c) {
  CHECK(len < sizeof text);
  text[len++] = c;
}

static void put_string(const char *string) {
  while (*string != '\0') {
    put(*string++);
  }
}

static void put_number(uint64_t number) {
  char digits[20];
  unsigned count = 0;
  do {
    digits[count++] = (char)('0' + number % 10U);
    number /= 10U;
  } while (number != 0);
  while (count > 0) {
    put(digits[--count]);
  }
}

static void put_line(const char *prefix, const char *format, va_list arguments) {
  put_string(prefix);
  for (; *format != '\0'; format++) {
    if (*format != '%') {
      put(*format);
    } else if (*++format == 'u') {
      put_number(va_arg(arguments, uint32_t));
    } else if (*format == 'U') {
      put_number(va_arg(arguments, uint64_t));
    } else {
      CHECK(*format == 's');
      put_string(va_arg(arguments, const char *));
    }
  }
  put('\n');
}

void expect(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  put_line("", format, arguments);
  va_end(arguments);
}

void expect_metadata(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  put_line("- ", format, arguments);
  va_end(arguments);
}

/* --- Failures ---------------------------------------------------------------------------------- */

static unsigned allowed;
static bool task_is_faulty;

void allow_assertions(unsigned count) { allowed = count; }

void start_faulty_task(TaskFunction_t mistake) {
  task_is_faulty = true;
  (void)start_task(mistake, PRIORITY_HIGH);
  CHECK(!task_is_faulty);
}

void harness_assertion(const char *what, const char *file, int line) {
  if (task_is_faulty) {
    task_is_faulty = false;
    end_task();
  }
  if (allowed == 0) {
    harness_failed(what, file, line);
  }
  allowed--;
}

void harness_failed(const char *what, const char *file, int line) {
  platform_fail(what, file, line);
}

/* --- Tasks ---------------------------------------------------------------------------------------- */

TaskHandle_t start_task(TaskFunction_t code, UBaseType_t priority) {
  TaskHandle_t task = NULL;
  CHECK(xTaskCreate(code, "helper", configMINIMAL_STACK_SIZE, NULL, priority, &task) == pdPASS);
  return task;
}

void end_task(void) {
  vTaskDelete(NULL);
  harness_failed("a deleted task runs", __FILE__, __LINE__);
}

uint32_t number_of(TaskHandle_t task) { return (uint32_t)uxTaskGetTaskNumber(task); }
uint32_t my_number(void) { return tband_freertos_current_task_number(); }

/* --- Time ------------------------------------------------------------------------------------------ */

bool harness_may_sleep;

uint32_t now(void) { return (uint32_t)xTaskGetTickCount(); }

/* Nothing else is ready: time passes. */
void vApplicationIdleHook(void);
void vApplicationIdleHook(void) {
  if (!harness_may_sleep) {
    tick();
  }
}

/* --- Interrupts -------------------------------------------------------------------------------------- */

static interrupt_body bodies[2];
static unsigned depth; /* of those that run */

void interrupt(interrupt_body body) {
  bodies[depth] = body;
  platform_interrupt(depth > 0);
}

static interrupt_body at_assertion;

void interrupt_at_assertion(interrupt_body body) { at_assertion = body; }

void harness_may_interrupt(void) {
  const interrupt_body body = at_assertion;
  if (body != NULL) {
    at_assertion = NULL;
    interrupt(body);
  }
}

static void no_exit(BaseType_t *woken) { (void)woken; }

void harness_interrupt_handler(void) {
  BaseType_t woken = pdFALSE;
  if (bodies[depth] == NULL) {
    portYIELD_FROM_ISR(woken);
    return;
  }
  traceISR_ENTER();
  if (bodies[depth] == no_exit) {
    return;
  }
  const interrupt_body body = bodies[depth];
  depth++;
  body(&woken);
  depth--;
  portYIELD_FROM_ISR(woken);
}

void interrupt_without_enter(void) {
  bodies[0] = NULL;
  platform_interrupt(false);
}

void interrupt_without_exit(void) { interrupt(no_exit); }

/* --- Heap -------------------------------------------------------------------------------------------- */

/* Each block has the address of the one before in it. */
static void **blocks;

void exhaust_heap(void) {
  for (size_t size = configTOTAL_HEAP_SIZE; size >= sizeof(void *); size /= 2U) {
    void **block;
    while ((block = pvPortMalloc(size)) != NULL) {
      *block = blocks;
      blocks = block;
    }
  }
}

void release_heap(void) {
  while (blocks != NULL) {
    void **const block = blocks;
    blocks = *block;
    vPortFree(block);
  }
}

/* --- The run ------------------------------------------------------------------------------------------ */

enum { MARKER_CLASS = 1 };

static const struct {
  const char *name;
  void (*run)(void);
} programs[] = {
    {"SCHEDULER_STEP", class_scheduler_step}, /* first: it waits for the tick counter's wrap */
    {"TASK", class_task},
    {"TASK_EXTRA", class_task_extra},
    {"QUEUE", class_queue},
    {"QUEUE_EXTRA", class_queue_extra},
    {"NOTIFICATION", class_notification},
    {"STREAM_BUFFER", class_stream_buffer},
    {"EVENT_GROUP", class_event_group},
    {"TIMER", class_timer},
    {"HEAP", class_heap},
    {"LOW_POWER", class_low_power},
    {"TICK", class_tick},
    {"ISR", class_isr},
    {"STACK", class_stack},
    {"API", class_api},
};

static void drive(void *parameter) {
  (void)parameter;
#ifdef HOOK_MASKS
  masks_started();
#endif
  platform_start();
  tband_gather_system_metadata();
  CHECK(tband_trigger_snapshot() == 0);
  vTaskPrioritySet(NULL, PRIORITY_DRIVER);
  for (unsigned i = 0; i < sizeof programs / sizeof programs[0]; i++) {
    vTaskDelay(3); /* the idle task frees what ended */
    tband_evtmarker(MARKER_CLASS, programs[i].name);
    put_string("# ");
    put_string(programs[i].name);
    put('\n');
    programs[i].run();
    CHECK(allowed == 0);
    tband_evtmarker(MARKER_CLASS, "between");
  }
  CHECK(tband_stop_snapshot() == 0);
  CHECK(tband_get_dropped_evt_cnt() + tband_get_metadata_dropped_cnt(0) == 0);
#ifdef HOOK_MASKS
  masks_save();
#endif
  platform_finish(text, len);
}

int main(void) {
#ifdef HOOK_MASKS
  masks_before_scheduler();
#endif
  CHECK(xTaskCreate(drive, "driver", 2 * configMINIMAL_STACK_SIZE, NULL, PRIORITY_TOP, NULL) == pdPASS);
  vTaskStartScheduler();
  harness_failed("the scheduler has ended", __FILE__, __LINE__);
}
