/*
 * A sensor pipeline:
 *
 *   ADC interrupt, each 2 ms --samples--> filter --blocks--> logger
 *   control, each 5 ms: reads its sensor over the bus
 *   radio, each 20 ms: sends for 3 ms
 *
 * Two mistakes are in it, as they are found in the field:
 *
 * - The bus is guarded by a binary semaphore. That keeps two tasks apart, but does
 *   not lend a priority: once, the logger holds the bus when control wants it, and
 *   the radio keeps the logger from going on. Control is some milliseconds late. The
 *   mend is a mutex: PIPELINE_MENDED has it, so that both recordings can be compared.
 * - The logger's stack is nearly used up.
 */
#include "pipeline.h"

enum { BLOCK = 8, STACK_WORDS = 512, LOGGER_LEFT = 72 };

static QueueHandle_t samples, blocks;
static SemaphoreHandle_t bus;
static StackType_t logger_stack[STACK_WORDS];
static volatile unsigned sent, sent_before; /* by the radio: so far, and when control wanted the bus last */
static volatile bool control_waits;         /* for the bus */
static volatile bool saved, formatted;

bool pipeline_has_shown_all(void) { return saved && formatted; }

void adc_isr(void) {
  static uint16_t sample;
  BaseType_t woken = pdFALSE;
  sample = (uint16_t)((sample * 5U + 3U) & 0x0fffU);
  (void)xQueueSendFromISR(samples, &sample, &woken);
  /* At the end of the tick the kernel switches tasks if need be. */
  (void)woken;
}

static void filter(void *unused) {
  (void)unused;
  uint32_t sum = 0;
  for (unsigned count = 1;; count++) {
    uint16_t sample = 0;
    (void)xQueueReceive(samples, &sample, portMAX_DELAY);
    work_us(850);
    sum += sample;
    if (count % BLOCK == 0) {
      (void)xQueueSend(blocks, &sum, 0);
      sum = 0;
    }
  }
}

static void control(void *unused) {
  (void)unused;
  for (TickType_t next = xTaskGetTickCount();;) {
    (void)xTaskDelayUntil(&next, CONTROL_EVERY);
    sent_before = sent;
    control_waits = true;
    (void)xSemaphoreTake(bus, portMAX_DELAY);
    control_waits = false;
    work_us(300);
    (void)xSemaphoreGive(bus);
    work_us(100);
  }
}

static void radio(void *unused) {
  (void)unused;
  vTaskDelay(SEND_AT);
  for (TickType_t next = xTaskGetTickCount();;) {
    work_us(3000);
    sent++;
    (void)xTaskDelayUntil(&next, SEND_EVERY);
  }
}

/* Writes the settings to the memory on the bus. That takes until control waits for it and the radio has sent since
 * then, so that the inversion occurs in each run. The times alone do not ensure that: if this machine is busy, the
 * logger begins later, and control and the radio may have finished. With a mutex the radio sends only after control
 * has had the bus. */
static void save_settings(void) {
  tband_evtmarker_begin(EVT_SAVE, "settings");
  (void)xSemaphoreTake(bus, portMAX_DELAY);
  do {
    work_us(1500);
  } while (!control_waits || (!PIPELINE_MENDED && sent == sent_before));
  (void)xSemaphoreGive(bus);
  tband_evtmarker_end(EVT_SAVE);
}

static void logger(void *unused) {
  (void)unused;
  bool begun = false;
  for (unsigned lines = 0;; lines++) {
    uint32_t sum = 0;
    const TickType_t now = xTaskGetTickCount();
    const TickType_t patience = begun || now >= SAVE_AT ? portMAX_DELAY : SAVE_AT - now;
    if (xQueueReceive(blocks, &sum, patience) == pdTRUE) {
      tband_valmarker(VAL_TEMPERATURE, (int64_t)(sum / BLOCK));
      work_us(900);
    }
    if (!begun && xTaskGetTickCount() >= SAVE_AT) {
      begun = true;
      save_settings();
      saved = true;
    }
    if (lines == 4) { /* a long line is formatted */
      use_stack_but(logger_stack, STACK_WORDS, LOGGER_LEFT);
      formatted = true;
    }
  }
}

void pipeline_create(void) {
  static StaticTask_t logger_tcb;

  samples = xQueueCreate(8, sizeof(uint16_t));
  tband_freertos_queue_name(samples, "samples");
  blocks = xQueueCreate(4, sizeof(uint32_t));
  tband_freertos_queue_name(blocks, "blocks");
#if PIPELINE_MENDED
  bus = xSemaphoreCreateMutex();
  tband_freertos_mutex_name(bus, "bus");
#else
  bus = xSemaphoreCreateBinary();
  tband_freertos_binary_semaphore_name(bus, "bus");
  (void)xSemaphoreGive(bus);
#endif
  name_interrupts();
  tband_evtmarker_name(EVT_SAVE, "save");
  tband_valmarker_name(VAL_TEMPERATURE, "temperature");

  (void)xTaskCreate(control, "control", STACK_WORDS, NULL, 5, NULL);
  (void)xTaskCreate(filter, "filter", STACK_WORDS, NULL, 4, NULL);
  (void)xTaskCreate(radio, "radio", STACK_WORDS, NULL, 3, NULL);
  (void)xTaskCreateStatic(logger, "logger", STACK_WORDS, NULL, 1, logger_stack, &logger_tcb);
}
