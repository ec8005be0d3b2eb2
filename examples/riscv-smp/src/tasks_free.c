/* Tasks that run on any core, and tasks that they move between cores. See app.h. */
#include "app.h"
#include "log.h"

enum { STACK = 512, WORKERS = CORES + 1, SHEPHERDS_PERIOD = 5 };
enum { PRIORITY_SHEEP = 1, PRIORITY_WORKER = 2, PRIORITY_BELL = 4, PRIORITY_SAMPLES = 4, PRIORITY_SHEPHERD = 5 };

QueueHandle_t app_samples;
TaskHandle_t app_bell;
static SemaphoreHandle_t mutex;
static TaskHandle_t sheep;

void app_compute(uint32_t microseconds) {
  const uint64_t until = port_time() + (uint64_t)microseconds * (configMTIME_HZ / 1000000);
  while (port_time() < until) {
  }
}

static void free_worker(void *parameter) {
  const uint32_t self = (uint32_t)(uintptr_t)parameter;
  for (uint32_t round = 0;; round++) {
    configASSERT(xSemaphoreTake(mutex, portMAX_DELAY) == pdPASS);
    record_value(VAL_WORK, (int32_t)(self * 1000000U + round));
    app_compute(20);
    (void)xSemaphoreGive(mutex);
    if (round % 2U == 0) {
      port_raise((BaseType_t)((self + round) % CORES), REASON_BELL);
    }
    if (xSemaphoreTake(mutex, 0) == pdPASS) { /* often fails: another one has it */
      (void)xSemaphoreGive(mutex);
    }
    vTaskDelay(1U + (self + round) % 2U);
  }
}

static void bell(void *parameter) {
  (void)parameter;
  for (uint32_t step = 0;; step++) {
    (void)ulTaskNotifyTake(pdFALSE, portMAX_DELAY);
    record_step(EVT_STEP, step);
  }
}

static void samples(void *parameter) {
  (void)parameter;
  for (;;) {
    uint32_t sample;
    configASSERT(xQueueReceive(app_samples, &sample, portMAX_DELAY) == pdPASS);
  }
}

static void sheep_task(void *parameter) {
  (void)parameter;
  for (uint32_t step = 0;; step++) {
    app_compute(100);
    record_step(EVT_STEP, step);
    if (step % 4U == 0) {
      vTaskDelay(1);
    }
  }
}

static void young(void *parameter) {
  record_step(EVT_YOUNG, (uint32_t)(uintptr_t)parameter);
  vTaskDelay(1);
  vTaskDelete(NULL);
}

static void shepherd(void *parameter) {
  (void)parameter;
  TickType_t last = xTaskGetTickCount();
  for (uint32_t round = 0;; round++) {
    (void)xTaskDelayUntil(&last, SHEPHERDS_PERIOD);
    switch (round % 4U) {
    case 0:
      vTaskCoreAffinitySet(sheep, 1U << (round / 4U % CORES));
      break;
    case 1:
      vTaskSuspend(sheep);
      configASSERT(xTaskCreate(young, "young", STACK, (void *)(uintptr_t)round, PRIORITY_WORKER, NULL) ==
                   pdPASS);
      vTaskResume(sheep);
      break;
    case 2:
      vTaskPrioritySet(sheep, PRIORITY_WORKER);
      vTaskCoreAffinitySet(sheep, (1U << CORES) - 1U);
      break;
    default:
      vTaskPrioritySet(sheep, PRIORITY_SHEEP);
    }
  }
}

static void create(TaskFunction_t function, const char *name, UBaseType_t priority, uint32_t parameter,
                   TaskHandle_t *handle) {
  configASSERT(xTaskCreate(function, name, STACK, (void *)(uintptr_t)parameter, priority, handle) == pdPASS);
}

void app_create_free_tasks(void) {
  static char names[WORKERS][8];
  mutex = xSemaphoreCreateMutex();
  app_samples = xQueueCreate(16, sizeof(uint32_t));
  configASSERT(mutex != NULL && app_samples != NULL);
  vQueueAddToRegistry(mutex, "mutex");
  vQueueAddToRegistry(app_samples, "samples");
  for (uint32_t worker = 0; worker < WORKERS; worker++) {
    for (uint32_t at = 0; at < 5; at++) {
      names[worker][at] = "free "[at];
    }
    names[worker][5] = (char)('0' + worker);
    create(free_worker, names[worker], PRIORITY_WORKER, worker, NULL);
  }
  create(bell, "bell", PRIORITY_BELL, 0, &app_bell);
  create(samples, "samples", PRIORITY_SAMPLES, 0, NULL);
  create(sheep_task, "sheep", PRIORITY_SHEEP, 0, &sheep);
  create(shepherd, "shepherd", PRIORITY_SHEPHERD, 0, NULL);
}
