/*
 * Test firmware: a task and an interrupt that hits it anywhere do more than the line can take of it, in bursts and
 * between pauses, and count what they do. The line is a task that takes a packet each few ticks, or reads as much as a
 * debug probe. trace.bin has the bytes that came over it, produced.txt the counts.
 */
#include "FreeRTOS.h"
#include "board.h"
#include "kernel_failures.h"
#include "queue.h"
#include "semihost.h"
#include "task.h"

#include "tband.h"

enum { PRIORITY_WORKER = 1, PRIORITY_LINE = 5, PRIORITY_HELPER = 7 };
enum { TICKS_A_PACKET = 2 };
/* Without queues the line takes everything, and with them far from it, so nothing is lost and queues are shed often. */
enum { BURSTS = 16, STEPS = 400, QUEUE_PAIRS = 4, PAUSE_TICKS = 90 };
/* Of the timer, whose interrupt may call the kernel. A prime, so that it comes at another instruction each time. */
enum { IRQ_PERIOD = 9973, IRQ_PRIORITY = 0x60, IRQ_NUMBER = 8 };
enum { QUEUE_LENGTH = 8, BLOCK_SIZE = 24 };

/* Events of each kind, by the task or interrupt that records them: so no count is changed from two contexts. */
static struct {
  uint32_t heap, notifications, queue, queue_extra, markers, delays;
} worker;
static struct {
  uint32_t interrupts, queue, markers;
} volatile handler;
static volatile uint32_t line_delays, helper_turns;

static QueueHandle_t from_task, from_handler;
static TaskHandle_t line, helper;
static int trace;

/* --- The kernel's hooks ------------------------------------------------------------------------- */

void vApplicationIdleHook(void);
void vApplicationIdleHook(void) {}
void vApplicationTickHook(void);
void vApplicationTickHook(void) {}

void SysTick_Handler(void);
void xPortSysTickHandler(void);
void SysTick_Handler(void) { xPortSysTickHandler(); }

/* --- The line ------------------------------------------------------------------------------------ */

#if tband_configUSE_RTT

/* What a probe finds in memory, and nothing else of the firmware. */
struct probe_buffer {
  const char *name;
  const uint8_t *memory;
  uint32_t size;
  volatile uint32_t write, read;
  uint32_t flags;
};
extern struct {
  char id[16];
  int32_t up_count, down_count;
  struct probe_buffer up;
} _SEGGER_RTT;

static bool line_takes(void) {
  struct probe_buffer *const up = &_SEGGER_RTT.up;
  const uint32_t read = up->read;
  if (read == up->write) {
    return false;
  }
  CHECK(semihost_write(trace, &up->memory[read], tband_configPACKET_SIZE));
  up->read = (read + tband_configPACKET_SIZE) % up->size;
  return true;
}

#else

static bool line_takes(void) {
  size_t len;
  const uint8_t *const packet = tband_packet_take(&len);
  if (packet == NULL) {
    return false;
  }
  CHECK(semihost_write(trace, packet, len));
  tband_packet_done();
  return true;
}

#endif

static void is_line(void *unused) {
  (void)unused;
  for (;;) {
    line_delays++;
    vTaskDelay(TICKS_A_PACKET);
    (void)line_takes();
  }
}

/* --- Tasks and interrupt --------------------------------------------------------------------------- */

/* No other task preempts it, so the kernel switches to it once for each notification. */
static void helps(void *unused) {
  (void)unused;
  for (;;) {
    (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    helper_turns++;
  }
}

void IRQ8_Handler(void);
void IRQ8_Handler(void) {
  BaseType_t woken = pdFALSE;
  uint32_t item = handler.interrupts;
  board_timer_clear(BOARD_TIMER0);
  tband_isr_enter(IRQ_NUMBER);
  handler.interrupts++;
  tband_valmarker(2, (int64_t)handler.markers);
  handler.markers++;
  CHECK(xQueueSendFromISR(from_handler, &item, &woken) == pdPASS);
  CHECK(xQueueReceiveFromISR(from_handler, &item, &woken) == pdPASS);
  handler.queue += 2U;
  tband_isr_exit(IRQ_NUMBER);
}

static void works(void) {
  uint32_t item = worker.markers;
  tband_valmarker(1, (int64_t)worker.markers);
  worker.markers++;
  for (uint32_t pair = 0; pair < QUEUE_PAIRS; pair++) {
    CHECK(xQueueSend(from_task, &item, 0) == pdPASS);
    CHECK(xQueueReceive(from_task, &item, 0) == pdPASS);
    worker.queue += 2U;
  }
  CHECK(xQueueReceive(from_task, &item, 0) == errQUEUE_EMPTY);
  worker.queue_extra++;
  void *const block = pvPortMalloc(BLOCK_SIZE);
  CHECK(block != NULL);
  vPortFree(block);
  worker.heap += 2U;
  if (worker.markers % 4U == 0U) {
    /* It is given, and the helper takes it and waits again. */
    CHECK(xTaskNotifyGive(helper) == pdPASS);
    worker.notifications += 3U;
  }
}

/* --- The end ------------------------------------------------------------------------------------------ */

static void put_count(int file, const char *name, uint32_t count) {
  char digits[10];
  size_t at = sizeof digits;
  size_t len = 0;
  for (; name[len] != '\0'; len++) {
  }
  CHECK(semihost_write(file, name, len));
  do {
    digits[--at] = (char)('0' + (char)(count % 10U));
    count /= 10U;
  } while (count != 0U);
  CHECK(semihost_write(file, &digits[at], sizeof digits - at));
  CHECK(semihost_write(file, "\n", 1));
}

static void works_in_bursts(void *unused) {
  (void)unused;
  trace = semihost_create("trace.bin");
  CHECK(trace >= 0);
  CHECK(tband_start_streaming() == 0);
  board_irq_enable(BOARD_TIMER0_IRQ, IRQ_PRIORITY);
  board_timer_start(BOARD_TIMER0, IRQ_PERIOD);
  const uint32_t delays_before = line_delays;
  for (uint32_t burst = 0; burst < BURSTS; burst++) {
    for (uint32_t step = 0; step < STEPS; step++) {
      works();
    }
    worker.delays++;
    vTaskDelay(PAUSE_TICKS);
  }
  for (uint32_t step = 0; step < STEPS; step++) {
    works(); /* so that it ends while something is shed */
  }
  board_timer_stop(BOARD_TIMER0);
  taskENTER_CRITICAL();
  CHECK(tband_stop_streaming() == 0);
  const uint32_t delays = worker.delays + line_delays - delays_before;
  taskEXIT_CRITICAL();
  vTaskSuspend(line);
  do {
    tband_keep_time();
  } while (line_takes());
  CHECK(semihost_close(trace));
  const int file = semihost_create("produced.txt");
  CHECK(file >= 0);
  put_count(file, "HEAP ", worker.heap);
  put_count(file, "NOTIFICATION ", worker.notifications);
  put_count(file, "QUEUE ", worker.queue + handler.queue);
  put_count(file, "QUEUE_EXTRA ", worker.queue_extra);
  put_count(file, "MARKER ", worker.markers + handler.markers);
  put_count(file, "ISR ", 2U * handler.interrupts);
  put_count(file, "delays ", delays);
  put_count(file, "turns ", helper_turns);
  CHECK(semihost_close(file));
  semihost_exit(0);
}

static TaskHandle_t task(TaskFunction_t code, const char *name, UBaseType_t priority) {
  TaskHandle_t made = NULL;
  CHECK(xTaskCreate(code, name, configMINIMAL_STACK_SIZE, NULL, priority, &made) == pdPASS);
  return made;
}

int main(void) {
  from_task = xQueueCreate(QUEUE_LENGTH, sizeof(uint32_t));
  from_handler = xQueueCreate(QUEUE_LENGTH, sizeof(uint32_t));
  line = task(is_line, "line", PRIORITY_LINE);
  helper = task(helps, "helper", PRIORITY_HELPER);
  (void)task(works_in_bursts, "worker", PRIORITY_WORKER);
  vTaskStartScheduler();
  board_failed("the scheduler has ended", __FILE__, __LINE__);
}
