/* See masks.h. For Cortex-M. Hooks nest, in interrupts and where one calls the kernel, and each ends before
 * the one around it does: so the masks at their beginnings form a stack. */
#include "masks.h"

#include "harness.h"

#include "event_groups.h"
#include "queue.h"
#include "semihost.h"
#include "semphr.h"
#include "stream_buffer.h"
#include "timers.h"

enum { MOST_HOOKS = 600, DEEPEST = 32 };

struct mask {
  uint32_t primask, basepri, faultmask;
};

static uint8_t seen[MOST_HOOKS];
static struct mask found[DEEPEST];
static volatile unsigned depth;
static struct mask at_first;
static uint32_t held;

static struct mask mask_now(void) {
  struct mask now;
  __asm volatile("mrs %0, primask" : "=r"(now.primask)::"memory");
  __asm volatile("mrs %0, basepri" : "=r"(now.basepri)::"memory");
  __asm volatile("mrs %0, faultmask" : "=r"(now.faultmask)::"memory");
  return now;
}

static void set_mask(uint32_t primask, uint32_t basepri) {
  __asm volatile("msr basepri, %0" ::"r"(basepri) : "memory");
  __asm volatile("msr primask, %0\n\tisb" ::"r"(primask) : "memory");
}

static bool same(const struct mask *a, const struct mask *b) {
  return a->primask == b->primask && a->basepri == b->basepri && a->faultmask == b->faultmask;
}

/* The failure contains the number of the hook; the test knows its name. */
static void require(bool is_right, uint32_t hook) {
  if (!is_right) {
    char number[] = "hook 000 changes the interrupt mask";
    number[5] = (char)('0' + (hook / 100U));
    number[6] = (char)('0' + (hook / 10U % 10U));
    number[7] = (char)('0' + (hook % 10U));
    harness_failed(number, __FILE__, __LINE__);
  }
}

/* Not xTaskGetSchedulerState, because it has hooks too. */
static bool scheduler_runs;

void mask_before(uint32_t hook) {
  uint32_t ipsr;
  const struct mask now = mask_now();
  const unsigned at = depth;
  CHECK(at < DEEPEST && hook < MOST_HOOKS);
  depth = at + 1U;
  found[at] = now;
  __asm volatile("mrs %0, ipsr" : "=r"(ipsr));
  seen[hook] |= (uint8_t)((ipsr != 0U)            ? MASK_IN_INTERRUPT
                          : (now.primask != 0U)   ? MASK_INTERRUPTS_OFF
                          : (now.basepri != 0U)   ? MASK_IN_CRITICAL_SECTION
                          : scheduler_runs        ? MASK_IN_TASK
                                                  : MASK_BEFORE_SCHEDULER);
  if ((now.primask | now.basepri) == 0U) {
    seen[hook] |= MASK_NONE;
  }
}

void mask_after(uint32_t hook) {
  const struct mask now = mask_now();
  depth--;
  require(same(&found[depth], &now), hook);
}

void mask_after_first(uint32_t hook) {
  const struct mask now = mask_now();
  depth--;
  if (!same(&found[depth], &now)) {
    require(held == 0U && now.basepri != 0U && now.primask == found[depth].primask, hook);
    held = 1;
    at_first = found[depth];
  }
}

void mask_after_last(uint32_t hook) {
  const struct mask now = mask_now();
  depth--;
  if (held != 0U) {
    held = 0;
    /* Before the scheduler runs the kernel's own critical section leaves its mask after. */
    require(scheduler_runs ? same(&at_first, &now) : same(&found[depth], &now), hook);
  } else {
    require(same(&found[depth], &now), hook);
  }
}

static void nothing(void *parameter) {
  (void)parameter;
  end_task();
}

static void no_callback(TimerHandle_t timer) { (void)timer; }

/* Sets the mask again before each call, since the kernel leaves its own mask after a call. The kernel's heap does
 * that within a call, so some objects have static memory. */
static void use_all(uint32_t primask) {
  uint32_t item = 1;
#define WITH_MASK(call) (set_mask(primask, 0), (call))
  static StaticEventGroup_t group_memory;
  const EventGroupHandle_t group = WITH_MASK(xEventGroupCreateStatic(&group_memory));
  CHECK(WITH_MASK(xEventGroupSetBits(group, 3)) == 3);
  CHECK(WITH_MASK(xEventGroupClearBits(group, 1)) == 3);
  WITH_MASK(vEventGroupDelete(group));
  static uint8_t buffer_bytes[16];
  static StaticStreamBuffer_t buffer_memory;
  const StreamBufferHandle_t buffer = WITH_MASK(
      xStreamBufferCreateStatic(sizeof buffer_bytes, 1, buffer_bytes, &buffer_memory));
  CHECK(WITH_MASK(xStreamBufferSend(buffer, &item, sizeof item, 0)) == sizeof item);
  CHECK(WITH_MASK(xStreamBufferReceive(buffer, &item, sizeof item, 0)) == sizeof item);
  CHECK(WITH_MASK(xStreamBufferReset(buffer)) == pdPASS);
  WITH_MASK(vStreamBufferDelete(buffer));
  const QueueHandle_t queue = WITH_MASK(xQueueCreate(1, sizeof item));
  WITH_MASK(vQueueAddToRegistry(queue, "queue"));
  CHECK(WITH_MASK(xQueueSend(queue, &item, 0)) == pdPASS);
  CHECK(WITH_MASK(xQueueSend(queue, &item, 0)) == errQUEUE_FULL);
  CHECK(WITH_MASK(xQueuePeek(queue, &item, 0)) == pdPASS);
  CHECK(WITH_MASK(xQueueReset(queue)) == pdPASS);
  CHECK(WITH_MASK(xQueueReceive(queue, &item, 0)) == errQUEUE_EMPTY);
  WITH_MASK(vQueueDelete(queue));
  const SemaphoreHandle_t counting = WITH_MASK(xSemaphoreCreateCounting(2, 1));
  CHECK(WITH_MASK(xSemaphoreTake(counting, 0)) == pdPASS);
  WITH_MASK(vSemaphoreDelete(counting));
  const SemaphoreHandle_t mutex = WITH_MASK(xSemaphoreCreateMutex());
  WITH_MASK(vSemaphoreDelete(mutex));
  const TimerHandle_t timer = WITH_MASK(xTimerCreate("timer", 5, pdFALSE, NULL, no_callback));
  CHECK(timer != NULL);
  CHECK(WITH_MASK(xTimerReset(timer, 0)) == pdPASS);
  TaskHandle_t task = NULL;
  CHECK(WITH_MASK(xTaskCreate(nothing, "nothing", 128, NULL, 1, &task)) == pdPASS);
  WITH_MASK(vTaskPrioritySet(task, 2));
  WITH_MASK(vTaskSuspend(task));
  CHECK(WITH_MASK(xTaskNotifyGive(task)) == pdPASS);
  WITH_MASK(vTaskDelete(task));
}

void masks_before_scheduler(void) {
  use_all(0);
  use_all(1);
  set_mask(0, 0);
}

void masks_started(void) { scheduler_runs = true; }

void masks_save(void) {
  const int file = semihost_create("masks.txt");
  CHECK(file >= 0);
  for (uint32_t hook = 0; hook < MOST_HOOKS; hook++) {
    char line[] = "000 00\n";
    line[0] = (char)('0' + hook / 100U);
    line[1] = (char)('0' + hook / 10U % 10U);
    line[2] = (char)('0' + hook % 10U);
    line[4] = (char)('0' + seen[hook] / 10U);
    line[5] = (char)('0' + seen[hook] % 10U);
    CHECK(semihost_write(file, line, sizeof line - 1U));
  }
  CHECK(semihost_close(file));
}
