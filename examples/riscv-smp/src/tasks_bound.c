/* Tasks that are bound to a core, one for each. See app.h. */
#include "app.h"
#include "log.h"

enum { PRIORITY = 3, STACK = 512, HOPS_WITHOUT_PAUSE = 8 };

static QueueHandle_t ring[CORES];
static volatile uint32_t rounds[CORES];
static char names[CORES][8];

/* A core whose task is done continues to pass the token. */
static void bound(void *parameter) {
  const uint32_t self = (uint32_t)(uintptr_t)parameter;
  app_start_timer((BaseType_t)self);
  for (;;) {
    uint32_t token = 0;
    configASSERT(xQueueReceive(ring[self], &token, portMAX_DELAY) == pdPASS);
    configASSERT((uint32_t)portGET_CORE_ID() == self);
    record_value(VAL_ROUND, (int32_t)token);
    rounds[self]++;
    if (token % HOPS_WITHOUT_PAUSE == 0) {
      vTaskDelay(1);
    }
    while (log_eighths() > 2U) { /* the host is slow */
      vTaskDelay(1);
    }
    token++;
    configASSERT(xQueueSend(ring[(self + 1U) % CORES], &token, portMAX_DELAY) == pdPASS);
  }
}

bool app_is_done(void) {
  for (uint32_t core = 0; core < CORES; core++) {
    if (rounds[core] < APP_ROUNDS) {
      return false;
    }
  }
  return true;
}

void app_create_bound_tasks(void) {
  static char queues[CORES][8];
  for (uint32_t core = 0; core < CORES; core++) {
    const char digit = (char)('0' + core);
    for (uint32_t at = 0; at < 6; at++) {
      names[core][at] = "bound "[at];
      queues[core][at] = "token "[at];
    }
    names[core][6] = digit;
    queues[core][6] = digit;
    ring[core] = xQueueCreate(2, sizeof(uint32_t));
    configASSERT(ring[core] != NULL);
    vQueueAddToRegistry(ring[core], queues[core]);
    configASSERT(xTaskCreateAffinitySet(bound, names[core], STACK, (void *)(uintptr_t)core, PRIORITY,
                                        1U << core, NULL) == pdPASS);
  }
  const uint32_t token = 0;
  configASSERT(xQueueSend(ring[0], &token, 0) == pdPASS);
}
