/*
 * Test firmware: interrupts hit a recorder that is busy all the time.
 *
 * A timer starts a chain of three interrupts, each raised inside the one before; a
 * second timer, the most urgent of all and with a period that has no common factor
 * with the first's, hits anything; SysTick drives the kernel. Two tasks also
 * wake each other. All record, and count what they record (record.c). Every
 * handler's value marker counts up by one, so a lost frame leaves a gap.
 */
#include "FreeRTOS.h"
#include "event_groups.h"
#include "stream_buffer.h"
#include "task.h"

#include "board.h"
#include "record.h"
#include "recording.h"
#include "semihost.h"

enum { CHAINS = 17000 };

enum { MIDDLE_IRQ = 20, TOP_IRQ = 21, PROBE_IRQ = 22 };
enum {
  ISR_TICK = 15,
  ISR_LOW = 16 + BOARD_TIMER0_IRQ,
  ISR_ANY = 16 + BOARD_TIMER1_IRQ,
  ISR_MIDDLE = 16 + MIDDLE_IRQ,
  ISR_TOP = 16 + TOP_IRQ,
};
/* Not above configMAX_SYSCALL_INTERRUPT_PRIORITY, 0x20. */
enum { LOW_PRIORITY = 0x80, MIDDLE_PRIORITY = 0x60, TOP_PRIORITY = 0x40, ANY_PRIORITY = 0x30 };
enum { LOW_PERIOD = 9001, ANY_PERIOD = 3001 }; /* primes */

enum { EVT_LOW = 1, EVT_MIDDLE = 2, EVT_TASK = 3 };
enum { VAL_LOW = 1, VAL_MIDDLE = 2, VAL_TOP = 3, VAL_ANY = 4 };

static volatile int32_t chains;
static TaskHandle_t ping, pong;

void SysTick_Handler(void);
void IRQ8_Handler(void);
void IRQ9_Handler(void);
void IRQ20_Handler(void);
void IRQ21_Handler(void);
void IRQ22_Handler(void);
void xPortSysTickHandler(void);

/* Which interrupts are masked. */
static uint32_t mask(void) {
  uint32_t basepri;
  uint32_t primask;
  __asm volatile("mrs %0, basepri" : "=r"(basepri));
  __asm volatile("mrs %0, primask" : "=r"(primask));
  return (primask << 8) | basepri;
}

#define KEEPS_THE_MASK(call)          \
  do {                                \
    const uint32_t before = mask();   \
    call;                             \
    configASSERT(mask() == before);   \
  } while (0)

/* Functions of the kernel that mask nothing themselves, and what the program calls: in any context. */
static void hooks_keep_the_mask(void) {
  static StaticEventGroup_t group;
  static StaticStreamBuffer_t buffer;
  static uint8_t storage[16];
  uint32_t number = 0;
  KEEPS_THE_MASK((void)xEventGroupCreateStatic(&group));
  KEEPS_THE_MASK((void)xStreamBufferCreateStatic(sizeof storage, 1, storage, &buffer));
  KEEPS_THE_MASK((void)tband_freertos_next_number(&number));
  KEEPS_THE_MASK(traceISR_ENTER());
  KEEPS_THE_MASK(traceISR_EXIT());
  KEEPS_THE_MASK(tband_gather_system_metadata());
  KEEPS_THE_MASK(tband_keep_time());
}

void SysTick_Handler(void) {
  rec_isr_enter(ISR_TICK);
  xPortSysTickHandler();
  rec_isr_exit(ISR_TICK);
}

void IRQ8_Handler(void) {
  board_timer_clear(BOARD_TIMER0);
  rec_isr_enter(ISR_LOW);
  rec_valmarker(VAL_LOW, chains);
  rec_evtmarker_begin(EVT_LOW, "before");
  board_irq_pend(MIDDLE_IRQ);
  rec_evtmarker_end(EVT_LOW);
  chains = chains + 1;
  if (chains == CHAINS) {
    board_timer_stop(BOARD_TIMER0);
    board_timer_stop(BOARD_TIMER1);
  }
  rec_isr_exit(ISR_LOW);
}

void IRQ20_Handler(void) {
  rec_isr_enter(ISR_MIDDLE);
  rec_evtmarker_begin(EVT_MIDDLE, "before");
  board_irq_pend(TOP_IRQ);
  rec_valmarker(VAL_MIDDLE, chains);
  rec_evtmarker_end(EVT_MIDDLE);
  rec_isr_exit(ISR_MIDDLE);
}

void IRQ21_Handler(void) {
  rec_isr_enter(ISR_TOP);
  rec_valmarker(VAL_TOP, chains);
  rec_isr_exit(ISR_TOP);
}

void IRQ9_Handler(void) {
  static int32_t count;
  board_timer_clear(BOARD_TIMER1);
  rec_isr_enter(ISR_ANY);
  rec_valmarker(VAL_ANY, count++);
  rec_isr_exit(ISR_ANY);
}

static volatile bool probed;
void IRQ22_Handler(void) {
  hooks_keep_the_mask();
  probed = true;
}

/* The recorder's section inside the kernel's: leaving it must not let interrupts in. */
static void probe_the_section(void) {
  hooks_keep_the_mask();
  taskENTER_CRITICAL();
  hooks_keep_the_mask();
  board_irq_pend(PROBE_IRQ);
  rec_evtmarker_begin(EVT_TASK, "masked");
  rec_evtmarker_end(EVT_TASK);
  configASSERT(!probed);
  taskEXIT_CRITICAL();
  configASSERT(probed);
}

static void finish(void) {
  taskENTER_CRITICAL();
  const bool stopped = recording_stop();
  taskEXIT_CRITICAL();
  if (!stopped || recording_losses() > 0 || !recording_save() || !rec_write_truth("truth.json", 0)) {
    board_failed("the recording is incomplete", __FILE__, __LINE__);
  }
  semihost_exit(0);
}

static void ping_task(void *arg) {
  (void)arg;
  probe_the_section();
  while (chains < CHAINS) {
    rec_evtmarker_begin(EVT_TASK, "a longer message");
    (void)xTaskNotifyGive(pong);
    (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    rec_evtmarker_end(EVT_TASK);
  }
  finish();
}

static void pong_task(void *arg) {
  (void)arg;
  for (;;) {
    (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    (void)xTaskNotifyGive(ping);
  }
}

void vApplicationIdleHook(void);
void vApplicationTickHook(void);
void vApplicationMallocFailedHook(void);
void vApplicationStackOverflowHook(TaskHandle_t task, char *name);
void vApplicationIdleHook(void) {}
void vApplicationTickHook(void) {}
void vApplicationMallocFailedHook(void) { configASSERT(!"out of heap"); }
void vApplicationStackOverflowHook(TaskHandle_t task, char *name) {
  (void)task;
  (void)name;
  configASSERT(!"stack overflow");
}

int main(void) {
  /* Before the scheduler runs the kernel's own critical section leaves interrupts masked. */
  configASSERT(mask() == 0);
  hooks_keep_the_mask();
  rec_isr_name(ISR_TICK, "SysTick");
  rec_isr_name(ISR_LOW, "low");
  rec_isr_name(ISR_MIDDLE, "middle");
  rec_isr_name(ISR_TOP, "top");
  rec_isr_name(ISR_ANY, "any");
  rec_evtmarker_name(EVT_LOW, "in low");
  rec_evtmarker_name(EVT_MIDDLE, "in middle");
  rec_evtmarker_name(EVT_TASK, "in a task");
  rec_valmarker_name(VAL_LOW, "low");
  rec_valmarker_name(VAL_MIDDLE, "middle");
  rec_valmarker_name(VAL_TOP, "top");
  rec_valmarker_name(VAL_ANY, "any");
  configASSERT(recording_start());
  configASSERT(xTaskCreate(ping_task, "ping", 256, NULL, 2, &ping) == pdPASS);
  configASSERT(xTaskCreate(pong_task, "pong", 256, NULL, 2, &pong) == pdPASS);
  board_irq_enable(BOARD_TIMER0_IRQ, LOW_PRIORITY);
  board_irq_enable(BOARD_TIMER1_IRQ, ANY_PRIORITY);
  board_irq_enable(MIDDLE_IRQ, MIDDLE_PRIORITY);
  board_irq_enable(TOP_IRQ, TOP_PRIORITY);
  board_irq_enable(PROBE_IRQ, ANY_PRIORITY);
  board_timer_start(BOARD_TIMER0, LOW_PERIOD);
  board_timer_start(BOARD_TIMER1, ANY_PERIOD);
  vTaskStartScheduler();
  return 1;
}
