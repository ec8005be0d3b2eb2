/* FreeRTOS: a producer, a consumer, a mutex, a notification, the tick; a task of low priority takes the recording. */
#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"

#include "board.h"
#include "tband.h"

#ifndef APP_ROUNDS
#define APP_ROUNDS 200
#endif

static QueueHandle_t numbers;
static SemaphoreHandle_t mutex;
static volatile uint32_t received, wrong;
static volatile uint32_t is_done;
static uint8_t out[16384];

/* Floating point where the CPU has it: a task's registers must survive the recorder. */
#ifdef APP_NO_FLOAT
typedef uint32_t number_t;
#else
typedef float number_t;
#endif
static uint32_t ticks_at_start, ticks_at_end;

static void say_count(const char *what, uint32_t count) {
  board_say("count: ");
  board_say(what);
  board_say_number(count);
  board_say("\n");
}

/* Where the kernel leaves the handler to the application. */
#if defined(__arm__) || defined(__aarch64__) || defined(__XTENSA__)
void board_tick(uint32_t number) {
  tband_isr_enter(number);
  board_ticks++;
  FreeRTOS_Tick_Handler();
  tband_isr_exit(number);
}
#endif

static void producer(void *unused) {
  (void)unused;
#ifdef portTASK_USES_FLOATING_POINT
  portTASK_USES_FLOATING_POINT();
#endif
  volatile number_t sum = 0;
  for (uint32_t i = 0; i < APP_ROUNDS; i++) {
    sum = sum + 1;
    tband_valmarker(1, (int64_t)i * 1000003);
    xQueueSend(numbers, &i, portMAX_DELAY);
    if (sum != (number_t)(i + 1)) {
      wrong++;
    }
    if ((i % 8) == 0) {
      tband_evtmarker(2, "eight");
      vTaskDelay(1);
    }
  }
  is_done = 1;
  vTaskDelete(NULL);
}

static void consumer(void *unused) {
  (void)unused;
  for (;;) {
    uint32_t number;
    if (xQueueReceive(numbers, &number, portMAX_DELAY) == pdTRUE) {
      xSemaphoreTake(mutex, portMAX_DELAY);
      xSemaphoreGive(mutex);
      received++;
    }
  }
}

static void taker(void *unused) {
  (void)unused;
  for (;;) {
    /* On another core the consumer may still be at the last number. */
    const uint32_t ends = is_done && (received == APP_ROUNDS);
    if (ends) {
      taskENTER_CRITICAL();
      tband_stop_streaming();
      ticks_at_end = board_ticks - ticks_at_start;
      taskEXIT_CRITICAL();
    }
    size_t len;
    while ((len = tband_stream_read(out, sizeof out)) > 0) {
      board_send(out, len);
    }
    if (ends) {
      /* What the application itself has counted. */
      say_count("sent", APP_ROUNDS);
      say_count("received", received);
      say_count("ticks", ticks_at_end);
      board_say(((received == APP_ROUNDS) && (wrong == 0)) ? "app: ends well\n" : "app: ends badly\n");
      board_exit(((received == APP_ROUNDS) && (wrong == 0)) ? 0 : 1);
    }
    vTaskDelay(2);
  }
}

void app_failed(const char *what, int line) {
  (void)line;
  board_say("app: assertion failed: ");
  board_say(what);
  board_say("\n");
  board_exit(1);
}

void vApplicationMallocFailedHook(void) { app_failed("no heap", 0); }
void vApplicationStackOverflowHook(TaskHandle_t task, char *name) {
  (void)task;
  app_failed(name, 0);
}

int main(void) {
  tband_gather_system_metadata();
  tband_valmarker_name(1, "number");
  tband_evtmarker_name(2, "eights");
  if (tband_start_streaming() != 0) {
    app_failed("no start", __LINE__);
  }
  numbers = xQueueCreate(4, sizeof(uint32_t));
  mutex = xSemaphoreCreateMutex();
  xTaskCreate(producer, "producer", configMINIMAL_STACK_SIZE, NULL, 2, NULL);
  xTaskCreate(consumer, "consumer", configMINIMAL_STACK_SIZE, NULL, 3, NULL);
  xTaskCreate(taker, "taker", configMINIMAL_STACK_SIZE, NULL, 1, NULL);
  vTaskStartScheduler();
  app_failed("scheduler", __LINE__);
  return 1;
}
