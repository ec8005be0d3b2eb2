/*
 * Test firmware: the conditions of triggers, on the real kernel. script.h, which the test writes, is calls of the
 * functions below, one after the other. One task calls them; ticks are off, so that nothing else comes in between.
 */
#include "FreeRTOS.h"
#include "board.h"
#include "kernel_failures.h"
#include "queue.h"
#include "semihost.h"
#include "semphr.h"
#include "task.h"

#include "tband.h"

enum { PRIORITY_DRIVER = 1, PRIORITY_HELPER = 2 };
enum { SEND_IRQ = 20, SEND_PRIORITY = 0x60 };
enum { LENGTH = 4 };
/* More stack than a helper needs for anything else. */
enum { FIRST_DEPTH = 700, MORE_DEPTH = 100 };

enum { PRIORITY_ABOVE = 3 };

volatile uint32_t port_now, port_step;

static QueueHandle_t full, spare;
static SemaphoreHandle_t mutex;
static TaskHandle_t late, other, digger, driver;

/* --- The kernel's hooks ------------------------------------------------------------------------- */

void vPortSetupTimerInterrupt(void);
void vPortSetupTimerInterrupt(void) {}
void vApplicationIdleHook(void);
void vApplicationIdleHook(void) {}
void vApplicationTickHook(void);
void vApplicationTickHook(void) {}

/* --- Faults: the instruction is passed over ------------------------------------------------------- */

void after_fault(void);
void after_fault(void) {
  enum { PC = 6, UDF_BYTES = 2 };
  uint32_t *frame;
  __asm volatile("mrs %0, psp" : "=r"(frame));
  frame[PC] += UDF_BYTES;
}
TBAND_FAULT_HANDLER(HardFault_Handler, after_fault)

/* --- Steps of the script ------------------------------------------------------------------------------- */

static uint32_t item = 7;
static volatile bool digs;

/* The lowest byte is what the kernel finds. */
static void __attribute__((noinline)) dig(uint32_t bytes) {
  volatile uint8_t waste[bytes];
  waste[0] = 1;
  (void)waste[0];
}

/* What a helper does when it is woken next. */
static void (*volatile errand)(void);

static void waits(void *unused) {
  (void)unused;
  for (;;) {
    (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    void (*const at_hand)(void) = errand;
    errand = NULL;
    if (at_hand != NULL) {
      at_hand();
    }
  }
}

static void waits_and_digs(void *unused) {
  (void)unused;
  uint32_t depth = FIRST_DEPTH;
  for (;;) {
    dig(depth);
    do {
      (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    } while (!digs);
    digs = false;
    depth += MORE_DEPTH;
  }
}

/* A task runs that was ready for so many ticks of the timer, and waits again. */
static void wakes(TaskHandle_t task, uint32_t ticks) {
  taskENTER_CRITICAL();
  (void)xTaskNotifyGive(task);
  port_now += ticks;
  taskEXIT_CRITICAL();
}

static void passes(uint32_t ticks) { port_now += ticks; }

/* Each look at the timer finds it so much later. */
static void steps(uint32_t ticks) { port_step = ticks; }

static void sends_on(TaskHandle_t task, void (*what)(void)) {
  errand = what;
  (void)xTaskNotifyGive(task);
}

/* The driver comes before its helpers, which lose the core; or waits until they wait. */
static void comes_before(void) { vTaskPrioritySet(driver, PRIORITY_ABOVE); }
static void comes_after(void) { vTaskPrioritySet(driver, PRIORITY_DRIVER); }

static void gives_back(void) { CHECK(xSemaphoreGive(mutex) == pdPASS); }

static void takes_first(void) { CHECK(xSemaphoreTake(mutex, 0) == pdPASS); }

/* The helper has the mutex and loses the core. */
static void takes_and_is_preempted(void) {
  takes_first();
  comes_before();
  gives_back();
}

/* The driver waits for the mutex of the helper, which inherits the driver's priority, and has it then. */
static void takes(void) {
  CHECK(xSemaphoreTake(mutex, portMAX_DELAY) == pdPASS);
  gives_back();
}

/* The helper has the mutex, and the driver gives up. */
static void takes_and_disappoints(void) {
  takes_first();
  comes_before();
  CHECK(xTaskAbortDelay(driver) == pdPASS);
  taskYIELD(); /* to the driver, at the priority that the helper has inherited */
  gives_back();
}
static void gives_up_waiting(void) { CHECK(xSemaphoreTake(mutex, 100) == errQUEUE_EMPTY); }

/* The same, while the helper waits. */
static void takes_and_waits(void) {
  takes_first();
  (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
  gives_back();
}
static void disappoints(void) { CHECK(xTaskAbortDelay(driver) == pdPASS); }

static void yields(void) { taskYIELD(); }

static void prefers(TaskHandle_t task, UBaseType_t priority) { vTaskPrioritySet(task, priority); }
static void suspends(TaskHandle_t task) { vTaskSuspend(task); }
static void lets(TaskHandle_t task) { vTaskResume(task); }

static void kills_a_new_one(void) {
  TaskHandle_t made = NULL;
  CHECK(xTaskCreate(waits, "new", configMINIMAL_STACK_SIZE, NULL, PRIORITY_HELPER, &made) == pdPASS);
  vTaskDelete(made);
}

static void resumes(TaskHandle_t task) {
  vTaskSuspend(task);
  vTaskResume(task);
}

static void deeper(void) {
  digs = true;
  wakes(digger, 0);
}

static void sends(QueueHandle_t queue, uint32_t count) {
  for (; count > 0U; count--) {
    port_now++;
    CHECK(xQueueSend(queue, &item, 0) == pdPASS);
  }
}

static void receives(QueueHandle_t queue) {
  uint32_t found;
  CHECK(xQueueReceive(queue, &found, 0) == pdPASS);
}

static volatile TaskHandle_t resumed;
void IRQ20_Handler(void);
void IRQ20_Handler(void) {
  BaseType_t woken = pdFALSE;
  if (resumed != NULL) {
    woken = xTaskResumeFromISR(resumed);
    resumed = NULL;
    portYIELD_FROM_ISR(woken);
    return;
  }
  CHECK(xQueueSendFromISR(full, &item, &woken) == pdPASS);
  portYIELD_FROM_ISR(woken);
}

static void sends_from_isr(void) { board_irq_pend(SEND_IRQ); }

/* While the scheduler is suspended, which lists it so many ticks later. */
static void resumes_from_isr(TaskHandle_t task, uint32_t ticks) {
  vTaskSuspendAll();
  resumed = task;
  board_irq_pend(SEND_IRQ);
  port_now += ticks;
  (void)xTaskResumeAll();
}

static void fails_to_receive(QueueHandle_t queue, uint32_t count) {
  uint32_t found;
  for (; count > 0U; count--) {
    port_now++;
    CHECK(xQueueReceive(queue, &found, 0) == errQUEUE_EMPTY);
  }
}

static void value(uint32_t marker, int64_t is) {
  port_now++;
  tband_valmarker(marker, is);
}

static void values(uint32_t marker, int64_t first, int64_t last) {
  for (int64_t is = first; is <= last; is++) {
    value(marker, is);
  }
}

static void faults(void) { __asm volatile("udf #1" ::: "memory"); }

static void gives_up(void) { tband_fault_fatal("it was asked for"); }

/* --- The script -------------------------------------------------------------------------------------- */

static void starts(void) { CHECK(tband_start_post_mortem() == 0); }

static void arms(int number, uint32_t condition, uint32_t of, int64_t is, uint32_t nth, uint32_t after) {
  CHECK(tband_trigger_arm(condition, of, is, nth, after) == number);
}

static void rearms(int number) { CHECK(tband_trigger_rearm(number) == 0); }

static void disarms(int number) { CHECK(tband_trigger_disarm(number) == 0); }

/* What the host sends. */
static void obeys(const uint8_t *bytes, size_t len) {
  CHECK(!tband_received(bytes, len)); /* nothing is lost */
  CHECK(tband_obey());
}

static void is_armed(int number, bool armed) { CHECK(tband_trigger_is_armed(number) == armed); }

/* `frozen`: a trigger has ended the recording. */
static void ends(bool frozen, uint32_t fired, const char *name) {
  static uint8_t bytes[1024];
  if ((tband_is_recording() != !frozen) || (tband_trigger_count() != fired)) {
    board_failed(name, __FILE__, __LINE__);
  }
  CHECK(tband_freeze() == (frozen ? -1 : 0));
  const int file = semihost_create(name);
  CHECK(file >= 0);
  size_t len;
  while ((len = tband_stream_read(bytes, sizeof bytes)) > 0U) {
    CHECK(semihost_write(file, bytes, len));
  }
  CHECK(semihost_close(file));
  CHECK(tband_clear_post_mortem() == 0);
  (void)xQueueReset(full);
  (void)xQueueReset(spare);
}

static void drive(void *unused) {
  (void)unused;
  board_irq_enable(SEND_IRQ, SEND_PRIORITY);
#include "script.h"
  semihost_exit(0);
}

static TaskHandle_t task(TaskFunction_t code, const char *name, UBaseType_t priority) {
  TaskHandle_t made = NULL;
  CHECK(xTaskCreate(code, name, configMINIMAL_STACK_SIZE, NULL, priority, &made) == pdPASS);
  return made;
}

int main(void) {
  full = xQueueCreate(LENGTH, sizeof item);
  spare = xQueueCreate(LENGTH, sizeof item);
  vQueueAddToRegistry(full, "full");
  vQueueAddToRegistry(spare, "spare");
  late = task(waits, "late", PRIORITY_HELPER);
  other = task(waits, "other", PRIORITY_HELPER);
  digger = task(waits_and_digs, "digger", PRIORITY_HELPER);
  driver = task(drive, "driver", PRIORITY_DRIVER);
  mutex = xSemaphoreCreateMutex();
  vTaskStartScheduler();
  board_failed("the scheduler has ended", __FILE__, __LINE__);
}
