/*
 * riscv-smp: the application in app.h on several cores. This file starts, sends, stops and ends the recording, and has
 * the kernel's callbacks.
 */
#include "app.h"
#include "log.h"
#include "recording.h"
#include "semihost.h"

enum { PRIORITY_RECORDER = 6, STACK = 1024, RESTART_EVERY = 16 };

void vApplicationIdleHook(void);
void vApplicationPassiveIdleHook(void);
void vApplicationMallocFailedHook(void);
void vApplicationStackOverflowHook(TaskHandle_t task, char *name);

/* Streams are stopped and started again while the other cores keep running. */
static void restart(void) {
  configASSERT(recording_stop());
  recording_send();
  vTaskDelay(1);
  recording_start();
}

static void recorder(void *parameter) {
  (void)parameter;
  for (uint32_t round = 1; !app_is_done(); round++) {
    recording_send();
    log_send();
    if (tband_configUSE_BACKEND_STREAMING && round % RESTART_EVERY == 0U) {
      restart();
    }
    vTaskDelay(1);
  }
  if (!recording_stop()) {
    semihost_print("riscv-smp: the recording had ended before\n");
  }
  /* Only this core continues. */
  (void)portSET_INTERRUPT_MASK();
  recording_save();
  log_finish();
  semihost_exit(0);
}

static void wait_for_interrupt(void) { __asm volatile("wfi"); }

void vApplicationIdleHook(void) { wait_for_interrupt(); }

void vApplicationPassiveIdleHook(void) { wait_for_interrupt(); }

void vApplicationMallocFailedHook(void) { configASSERT(!"out of heap"); }

void vApplicationStackOverflowHook(TaskHandle_t task, char *name) {
  (void)task;
  (void)name;
  configASSERT(!"stack overflow");
}

int main(void) {
  recording_start();
  app_name_things();
  app_create_bound_tasks();
  app_create_free_tasks();
  configASSERT(xTaskCreate(recorder, "recorder", STACK, NULL, PRIORITY_RECORDER, NULL) == pdPASS);
  vTaskStartScheduler();
  configASSERT(!"the scheduler has ended");
  return 1;
}
