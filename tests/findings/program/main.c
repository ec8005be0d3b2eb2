/* Runs one of the programs, records it, and writes the recording to trace.bin. */
#include "findings.h"

#include "recording.h"
#include "semihost.h"
#include "tband.h"

enum { EXIT_FILES = 2, EXIT_LOSSES = 4 }; /* 1: assertion, 3: fault */

/* The emulator writes the number of the program to the end of the large memory before the firmware starts. */
#define NUMBER (*(volatile uint32_t *)0x21FFFFF0UL)

#define PROGRAM(name, ms) {name, ms},
static const struct {
  void (*set_up)(void);
  uint32_t ms;
} programs[] = {
#include "programs.h"
};
#undef PROGRAM

/* --- For the programs ---------------------------------------------------------------------- */

/* An iteration takes two instructions, 128 ns in QEMU. */
void work(uint32_t us) {
  uint32_t rounds = (us * 1000U) / 128U;
  __asm volatile("1: subs %0, #1\n\tbne 1b" : "+r"(rounds)::"cc");
}

TaskHandle_t create(TaskFunction_t code, const char *name, UBaseType_t priority) {
  TaskHandle_t task = NULL;
  const BaseType_t is_created = xTaskCreate(code, name, configMINIMAL_STACK_SIZE, NULL, priority, &task);
  configASSERT(is_created == pdPASS);
  (void)is_created;
  return task;
}

SemaphoreHandle_t create_mutex(const char *name) {
  const SemaphoreHandle_t mutex = xSemaphoreCreateMutex();
  configASSERT(mutex != NULL);
  vQueueAddToRegistry(mutex, name);
  return mutex;
}

SemaphoreHandle_t create_lock(const char *name) {
  const SemaphoreHandle_t lock = xSemaphoreCreateBinary();
  configASSERT(lock != NULL);
  vQueueAddToRegistry(lock, name);
  give(lock);
  return lock;
}

void take(SemaphoreHandle_t lock) { (void)xSemaphoreTake(lock, portMAX_DELAY); }

void give(SemaphoreHandle_t lock) { (void)xSemaphoreGive(lock); }

void finish(void) {
  for (;;) {
    vTaskSuspend(NULL);
  }
}

/* --- Interrupts ----------------------------------------------------------------------------- */

enum { ISR_TIMER = 16 + BOARD_TIMER0_IRQ, TIMER_PRIORITY = 0x80 };

void (*on_timer)(void);

/* The kernel's handler records itself. */
void SysTick_Handler(void);
void xPortSysTickHandler(void);
void SysTick_Handler(void) { xPortSysTickHandler(); }

void IRQ8_Handler(void);
void IRQ8_Handler(void) {
  tband_isr_enter(ISR_TIMER);
  board_timer_clear(BOARD_TIMER0);
  on_timer();
  tband_isr_exit(ISR_TIMER);
}

/* --- The recording -------------------------------------------------------------------------- */

static void control(void *unused) {
  (void)unused;
  configASSERT(NUMBER < (sizeof programs / sizeof programs[0]));
  /* Before the program creates anything: findings need the start of objects. */
  configASSERT(recording_start());
  programs[NUMBER].set_up();
  vTaskDelay(pdMS_TO_TICKS(programs[NUMBER].ms));
  taskENTER_CRITICAL();
  const bool is_whole = recording_stop();
  taskEXIT_CRITICAL();
  if (!recording_save()) {
    semihost_print("findings: trace.bin could not be written\n");
    semihost_exit(EXIT_FILES);
  }
  if (!is_whole || (recording_losses() > 0)) {
    semihost_print("findings: the recording is incomplete\n");
    semihost_exit(EXIT_LOSSES);
  }
  semihost_exit(0);
}

/* --- The kernel's callbacks ----------------------------------------------------------------- */

void vApplicationIdleHook(void);
void vApplicationTickHook(void);
void vApplicationMallocFailedHook(void);
void vApplicationStackOverflowHook(TaskHandle_t task, char *name);

void vApplicationIdleHook(void) {}
void vApplicationTickHook(void) {}
/* Some programs allocate more than there is. */
void vApplicationMallocFailedHook(void) {}
void vApplicationStackOverflowHook(TaskHandle_t task, char *name) {
  (void)task;
  (void)name;
  configASSERT(!"stack overflow");
}

int main(void) {
  tband_isr_name(ISR_TIMER, "timer");
  board_irq_enable(BOARD_TIMER0_IRQ, TIMER_PRIORITY);
  (void)create(control, "controller", CONTROLLER);
  vTaskStartScheduler();
  configASSERT(!"the scheduler has ended");
  return 1;
}
