/* Every entry point of the recorder in each context of a kernel that protects memory: before the scheduler, in a task,
 * with the scheduler suspended, in an interrupt, while nothing is recorded; and in a task without privileges, where
 * each is refused, counted and harmless. Writes failures.txt, names.txt and the recording. */
#include <string.h>

#include "FreeRTOS.h"

#include "board.h"
#include "entries.h"
#include "event_groups.h"
#include "failures.h"
#include "queue.h"
#include "recording.h"
#include "semihost.h"
#include "stream_buffer.h"
#include "task.h"
#include "timers.h"

#define CHECK(condition) ((condition) ? (void)0 : board_failed("wrong: " #condition, __FILE__, __LINE__))

enum { STACK_WORDS = 1024 };
static StackType_t worker_stack[STACK_WORDS] __attribute__((aligned(sizeof(StackType_t) * STACK_WORDS)));
static TaskHandle_t supervisor_task, worker_task;
static const struct entry *volatile in_tick;

void entries_mask(void) {
  const uint32_t all = configMAX_SYSCALL_INTERRUPT_PRIORITY;
  __asm volatile("msr basepri, %0\n\tisb" ::"r"(all) : "memory");
}
void entries_unmask(void) {
  const uint32_t none = 0;
  __asm volatile("msr basepri, %0\n\tisb" ::"r"(none) : "memory");
}

#if tband_configUSE_BACKEND_STREAMING
void entries_sends(const uint8_t *bytes, size_t len) {
  for (size_t at = 0; (bytes != NULL) && (at < len);) {
    at += board_uart_put(bytes[at]) ? 1U : 0U;
  }
}
static void drain(void) {
#if TBAND_USES_PACKETS
  tband_flush();
#endif
  (void)recording_save();
}
#else
void entries_sends(const uint8_t *bytes, size_t len) {
  (void)bytes;
  (void)len;
}
static void drain(void) {}
#endif

void vApplicationTickHook(void);
void vApplicationTickHook(void) {
  const struct entry *const entry = in_tick;
  if (entry != NULL) {
    (void)entry->call();
    in_tick = NULL;
  }
}

static void call_in_task(const struct entry *entry) { (void)entry->call(); }

static void call_suspended(const struct entry *entry) {
  vTaskSuspendAll();
  (void)entry->call();
  (void)xTaskResumeAll();
}

static void call_stopped(const struct entry *entry) {
  entries_stop();
  (void)entry->call();
}

static void call_in_interrupt(const struct entry *entry) {
  if (entry->where == ANYWHERE) {
    in_tick = entry;
    while (in_tick != NULL) {
    }
  }
}

/* The worker has a higher priority, so it is done when this task continues. */
static void ask_worker(const struct entry *entry, uint32_t refused) {
  const uint32_t before = tband_get_dropped_evt_cnt();
  entries.is_fault = false;
  entries.wanted = entry;
  (void)xTaskNotifyGive(worker_task);
  CHECK(entries.wanted == NULL);
  if (entries.is_fault) {
    entries_fail("a memory fault in", entry);
    return;
  }
  if (entries.answer != entry->answer) {
    entries_fail("another answer of", entry);
  }
  const uint32_t counted = tband_get_dropped_evt_cnt() - before;
  if (counted != refused) {
    entries_fail((counted < refused) ? "fewer refusals are counted of" : "more refusals are counted of", entry);
  }
}

static void call_unprivileged(const struct entry *entry) {
  entries.is_suspended = false;
  ask_worker(entry, entry->events + entry->names);
}

#if configUSE_MPU_WRAPPERS_V1 == 1
static void call_unprivileged_suspended(const struct entry *entry) {
  entries.is_suspended = true;
  ask_worker(entry, entry->events + entry->names);
}
#endif

static void call_unprivileged_stopped(const struct entry *entry) {
  entries.is_suspended = false;
  entries_stop();
  ask_worker(entry, entry->names);
}

static void each(const char *where, void (*call)(const struct entry *)) {
  context = where;
  for (size_t at = 0; at < entry_count; at++) {
    entries_restore();
    drain();
    call(&entry_list[at]);
    entries_mark(&entry_list[at]);
  }
}

static void write_text(const char *name, const char *text, size_t len) {
  const int file = semihost_create(name);
  CHECK(file >= 0 && semihost_write(file, text, len) && semihost_close(file));
}

static void write_names(void) {
  const int file = semihost_create("names.txt");
  CHECK(file >= 0);
  for (size_t at = 0; at < entry_count; at++) {
    const char *const name = entry_list[at].name;
    CHECK(semihost_write(file, name, strlen(name)) && semihost_write(file, "\n", 1));
  }
  CHECK(semihost_close(file));
}

/* The host's item arrives, whatever handles are. */
static void send_from_host(void) {
  CHECK(tband_freertos_allow_queue(entries.queue, sizeof(uint32_t)) == 0);
  const uint32_t command[] = {tband_freertos_queue_number(entries.queue), 42, 0, 0, 0, 0};
  CHECK(tband_freertos_obey_send(command) == 0);
  uint32_t item = 0;
  CHECK(xQueueReceive(entries.queue, &item, 0) == pdPASS && item == 42);
  CHECK((tband_freertos_allow_task(worker_task) == 0) == (configUSE_MPU_WRAPPERS_V1 == 1));
}

static void supervisor(void *parameter) {
  (void)parameter;
  send_from_host();
  each("task", call_in_task);
  each("suspended", call_suspended);
  each("stopped", call_stopped);
  each("interrupt", call_in_interrupt);
  each("unprivileged", call_unprivileged);
  /* The newer wrappers have no system call that suspends the scheduler. */
#if configUSE_MPU_WRAPPERS_V1 == 1
  each("unprivileged and suspended", call_unprivileged_suspended);
#endif
  each("unprivileged and stopped", call_unprivileged_stopped);
  vTaskSuspendAll();
  tband_evtmarker(1, "end");
  CHECK(recording_stop());
  CHECK(recording_save());
  write_text("failures.txt", failures, failures_len);
  write_names();
  semihost_exit(0);
}

/* Where the fault handler sends the worker. */
void entry_faulted(void);
void entry_faulted(void) { longjmp(entries.jump, 1); }

static void worker(void *parameter) {
  (void)parameter;
  for (;;) {
    (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    const struct entry *const entry = entries.wanted;
    if (setjmp(entries.jump) == 0) {
#if configUSE_MPU_WRAPPERS_V1 == 1
      if (entries.is_suspended) {
        vTaskSuspendAll();
      }
#endif
      entries.answer = entry->call();
    }
#if configUSE_MPU_WRAPPERS_V1 == 1
    if (entries.is_suspended) {
      (void)xTaskResumeAll();
    }
#endif
    entries.wanted = NULL;
  }
}

_Noreturn void board_fault(const uint32_t *frame);
void MemManage_Handler(void);

/* `frame` is what the core pushed: r0 to r3, r12, lr, pc, xpsr. A fault of the worker ends its call. */
__attribute__((used)) void memory_fault(uint32_t *frame);
void memory_fault(uint32_t *frame) {
  if (entries.wanted == NULL || entries.is_fault) {
    board_fault(frame);
  }
  entries.is_fault = true;
  *(volatile uint32_t *)0xE000ED28UL = 0xFFU; /* the fault's status */
  frame[6] = (uint32_t)(uintptr_t)entry_faulted & ~1U;
  frame[7] &= ~0x0600FC00U; /* not in the middle of an IT block */
}

__attribute__((naked)) void MemManage_Handler(void) {
  __asm volatile(
      "tst lr, #4\n\t"
      "ite eq\n\t"
      "mrseq r0, msp\n\t"
      "mrsne r0, psp\n\t"
      "b memory_fault");
}

static void on_timer(TimerHandle_t timer) { (void)timer; }

int main(void) {
  entries.queue = xQueueCreate(4, sizeof(uint32_t));
  entries.stream_buffer = xStreamBufferCreate(64, 1);
  entries.event_group = xEventGroupCreate();
  entries.timer = xTimerCreate("timer", 1000, pdFALSE, NULL, on_timer);
  CHECK(entries.queue != NULL && entries.stream_buffer != NULL && entries.event_group != NULL && entries.timer != NULL);
  CHECK(recording_start());
  CHECK(xTaskCreate(supervisor, "supervisor", STACK_WORDS, NULL, 2 | portPRIVILEGE_BIT, &supervisor_task) == pdPASS);
  const TaskParameters_t parameters = {
      .pvTaskCode = worker,
      .pcName = "worker",
      .usStackDepth = STACK_WORDS,
      .uxPriority = 3,
      .puxStackBuffer = worker_stack,
      .xRegions = {{&entries, ENTRIES_SIZE,
#if defined(portMPU_REGION_CACHEABLE_BUFFERABLE)
                    portMPU_REGION_READ_WRITE | portMPU_REGION_EXECUTE_NEVER
#else
                    tskMPU_REGION_READ_WRITE | tskMPU_REGION_EXECUTE_NEVER
#endif
      }}};
  CHECK(xTaskCreateRestricted(&parameters, &worker_task) == pdPASS);
  entries.task = worker_task;
  each("before the scheduler", call_in_task);
  vTaskStartScheduler();
  return 1;
}
