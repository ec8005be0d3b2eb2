/*
 * Test firmware: what triggers wait for, on the real kernel. script.h, which the test writes, is calls of the functions below, one
 * after the other. One task calls them; there are no ticks, so that nothing else comes in between.
 */
#include "FreeRTOS.h"
#include "board.h"
#include "kernel_failures.h"
#include "queue.h"
#include "semihost.h"
#include "task.h"

#include "tband.h"

enum { PRIORITY_DRIVER = 1, PRIORITY_HELPER = 2 };
enum { SEND_IRQ = 20, SEND_PRIORITY = 0x60 };
enum { LENGTH = 4 };
/* More stack than a helper needs for anything else. */
enum { FIRST_DEPTH = 700, MORE_DEPTH = 100 };

volatile uint32_t port_now;

static QueueHandle_t full, spare;
static TaskHandle_t late, other, digger;

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

/* --- What is done -------------------------------------------------------------------------------------- */

static uint32_t item = 7;
static volatile bool digs;

/* The lowest byte is what the kernel finds. */
static void __attribute__((noinline)) dig(uint32_t bytes) {
  volatile uint8_t waste[bytes];
  waste[0] = 1;
  (void)waste[0];
}

static void waits(void *unused) {
  (void)unused;
  for (;;) {
    (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
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

void IRQ20_Handler(void);
void IRQ20_Handler(void) {
  BaseType_t woken = pdFALSE;
  CHECK(xQueueSendFromISR(full, &item, &woken) == pdPASS);
  portYIELD_FROM_ISR(woken);
}

static void sends_from_isr(void) { board_irq_pend(SEND_IRQ); }

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

/* `frozen`: the recording has ended by itself. */
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
  (void)task(drive, "driver", PRIORITY_DRIVER);
  vTaskStartScheduler();
  board_failed("the scheduler has ended", __FILE__, __LINE__);
}
