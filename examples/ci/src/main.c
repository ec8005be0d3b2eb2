/*
 * A small controller: three periodic tasks, two of which share a bus, and a task that filters samples from an
 * interrupt. It runs for one second, records it, and writes the recording to trace.bin.
 *
 * VARIANT builds in a typical mistake, or a similar change that is correct; see README.md.
 */
#include <stdbool.h>
#include <stdint.h>

#include "FreeRTOS.h"
#include "board.h"
#include "recording.h"
#include "semphr.h"
#include "semihost.h"
#include "task.h"
#include "tband.h"

/* In the order of CMakeLists.txt. */
enum {
  NONE,
  LONGER_WORK,
  WORK_WITHIN_BOUND,
  NO_INHERITANCE,
  CONTENDED_MUTEX,
  LOST_NOTIFICATION,
  COUNTED_NOTIFICATIONS,
};

enum { EXIT_FILES = 2, EXIT_LOSSES = 4 }; /* 1: assertion, 3: fault */

/* --- What the tasks do, in ms and us ------------------------------------------------------ */

enum { CONTROL_PRIORITY = 5, FILTER_PRIORITY = 4, RADIO_PRIORITY = 3, LOGGER_PRIORITY = 1 };

enum { CONTROL_PERIOD = 5, RADIO_PERIOD = 10, LOGGER_PERIOD = 20, SAMPLE_PERIOD = 2 };
enum { RADIO_OFFSET = 5, RUN_TIME = 1000 };

/* Longer work of the most urgent task: beyond the bound of the rules, or within it. */
enum { CONTROL_WORK = (VARIANT == LONGER_WORK) ? 1300 : (VARIANT == WORK_WITHIN_BOUND) ? 800 : 400 };
enum { FILTER_WORK = 150, RADIO_WORK = 2000 };

/* The logger has the bus when control needs it, and radio becomes ready at that time. Otherwise it uses it in
 * between. */
#define IS_CONTENDED ((VARIANT == NO_INHERITANCE) || (VARIANT == CONTENDED_MUTEX))
enum { LOGGER_OFFSET = IS_CONTENDED ? 4 : 12, LOGGER_WORK = IS_CONTENDED ? 1200 : 600 };

/* The converter raises its interrupt for each sample, or with twice as many in half as many interrupts. */
#define IS_BURST ((VARIANT == LOST_NOTIFICATION) || (VARIANT == COUNTED_NOTIFICATIONS))
enum { SAMPLES_PER_INTERRUPT = IS_BURST ? 2 : 1 };

/* Keeps the core busy. An iteration takes two instructions, 128 ns in QEMU. */
static void work(uint32_t us) {
  uint32_t rounds = (us * 1000U) / 128U;
  __asm volatile("1: subs %0, #1\n\tbne 1b" : "+r"(rounds)::"cc");
}

/* --- Objects -------------------------------------------------------------------------------- */

static SemaphoreHandle_t bus;
static TaskHandle_t filter_task;

static void create_bus(void) {
  if (VARIANT == NO_INHERITANCE) {
    /* Does not lend its holder the priority of the task that waits. */
    bus = xSemaphoreCreateBinary();
    configASSERT(bus != NULL);
    (void)xSemaphoreGive(bus);
  } else {
    bus = xSemaphoreCreateMutex();
    configASSERT(bus != NULL);
  }
  vQueueAddToRegistry(bus, "bus");
}

static void use_bus(uint32_t us) {
  (void)xSemaphoreTake(bus, portMAX_DELAY);
  work(us);
  (void)xSemaphoreGive(bus);
}

/* --- Tasks ---------------------------------------------------------------------------------- */

static void end(void) {
  taskENTER_CRITICAL();
  const bool is_whole = recording_stop();
  taskEXIT_CRITICAL();
  if (!recording_save()) {
    semihost_print("ci: trace.bin could not be written\n");
    semihost_exit(EXIT_FILES);
  }
  if (!is_whole || (recording_losses() > 0)) {
    semihost_print("ci: the recording is incomplete\n");
    semihost_exit(EXIT_LOSSES);
  }
  semihost_exit(0);
}

static void control(void *unused) {
  (void)unused;
  /* Before this no task has run, and rules do not apply to the time until then. */
  configASSERT(recording_start());
  TickType_t wake = xTaskGetTickCount();
  for (uint32_t round = 0; round < (RUN_TIME / CONTROL_PERIOD); round++) {
    vTaskDelayUntil(&wake, pdMS_TO_TICKS(CONTROL_PERIOD));
    use_bus(CONTROL_WORK);
  }
  end();
}

static void radio(void *unused) {
  (void)unused;
  vTaskDelay(pdMS_TO_TICKS(RADIO_OFFSET));
  TickType_t wake = xTaskGetTickCount();
  for (;;) {
    work(RADIO_WORK);
    vTaskDelayUntil(&wake, pdMS_TO_TICKS(RADIO_PERIOD));
  }
}

static void logger(void *unused) {
  (void)unused;
  vTaskDelay(pdMS_TO_TICKS(LOGGER_OFFSET));
  TickType_t wake = xTaskGetTickCount();
  for (;;) {
    use_bus(LOGGER_WORK);
    vTaskDelayUntil(&wake, pdMS_TO_TICKS(LOGGER_PERIOD));
  }
}

static void filter(void *unused) {
  (void)unused;
  for (;;) {
    /* The mistake takes all notifications at once, and does the work of one. */
    (void)ulTaskNotifyTake((VARIANT == LOST_NOTIFICATION) ? pdTRUE : pdFALSE, portMAX_DELAY);
    work(FILTER_WORK);
  }
}

/* --- Interrupts ----------------------------------------------------------------------------- */

enum { ISR_TICK = 15, ISR_ADC = 16 + BOARD_TIMER0_IRQ, ADC_PRIORITY = 0x80 };

void SysTick_Handler(void);
void xPortSysTickHandler(void);
void SysTick_Handler(void) {
  tband_isr_enter(ISR_TICK);
  xPortSysTickHandler();
  tband_isr_exit(ISR_TICK);
}

/* A timer of the board replaces the converter. */
void IRQ8_Handler(void);
void IRQ8_Handler(void) {
  BaseType_t is_woken = pdFALSE;
  tband_isr_enter(ISR_ADC);
  board_timer_clear(BOARD_TIMER0);
  for (uint32_t sample = 0; sample < (uint32_t)SAMPLES_PER_INTERRUPT; sample++) {
    vTaskNotifyGiveFromISR(filter_task, &is_woken);
  }
  tband_isr_exit(ISR_ADC);
  portYIELD_FROM_ISR(is_woken);
}

/* --- The kernel's callbacks ----------------------------------------------------------------- */

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

static TaskHandle_t create_task(TaskFunction_t code, const char *name, UBaseType_t priority) {
  TaskHandle_t task = NULL;
  const BaseType_t is_created = xTaskCreate(code, name, configMINIMAL_STACK_SIZE, NULL, priority, &task);
  configASSERT(is_created == pdPASS);
  (void)is_created;
  return task;
}

int main(void) {
  tband_isr_name(ISR_TICK, "SysTick");
  tband_isr_name(ISR_ADC, "ADC");
  create_bus();
  (void)create_task(control, "control", CONTROL_PRIORITY);
  filter_task = create_task(filter, "filter", FILTER_PRIORITY);
  (void)create_task(radio, "radio", RADIO_PRIORITY);
  (void)create_task(logger, "logger", LOGGER_PRIORITY);
  board_irq_enable(BOARD_TIMER0_IRQ, ADC_PRIORITY);
  board_timer_start(BOARD_TIMER0, (BOARD_CLOCK_HZ / 1000U) * SAMPLE_PERIOD * SAMPLES_PER_INTERRUPT);
  vTaskStartScheduler();
  configASSERT(!"the scheduler has ended");
  return 1;
}
