/* The privileged side: creates and names all there is, drives the worker, and saves the recording and what it
 * must have in it. */
#include "program.h"

#include "board.h"
#include "recording.h"
#include "semihost.h"
#include "semphr.h"
#include "tband.h"

enum { PRIORITY_READER = 1, PRIORITY_BOSS = 2, PRIORITY_WORKER = 3 };
enum { STACK_WORDS = 512 };
enum { JOBS = 1 };

static StackType_t worker_stack[STACK_WORDS] __attribute__((aligned(sizeof(StackType_t) * STACK_WORDS)));

static volatile bool stopped;

void vApplicationTickHook(void);
void vApplicationTickHook(void) {
  if (shared.tick_is_wanted) {
    shared.tick_is_wanted = false;
    /* Handles are known here too, where the kernel's wrappers could not be called. */
    CHECK(tband_freertos_queue_number(shared.jobs) == 1);
    CHECK(tband_freertos_stream_buffer_number(shared.results) == 1);
    CHECK(tband_freertos_event_group_number(shared.done) == 1);
    CHECK(tband_freertos_timer_number(shared.timer) == 1);
    CHECK(tband_freertos_queue_number(shared.own_queue) == 3); /* 2 is the timer task's */
    CHECK(tband_freertos_stream_buffer_number(shared.own_buffer) == 2);
    CHECK(tband_freertos_event_group_number(shared.own_group) == 2);
    CHECK(tband_freertos_current_task_number() == 2);
    CHECK(tband_tracing_enabled() && !tband_tracing_finished());
    CHECK(tband_get_metadata_buf(0) != NULL && tband_get_metadata_buf_amnt(0) > 0);
    CHECK(tband_get_dropped_evt_cnt() == shared.refused);
    tband_evtmarker(MARKER_TICK, "tick");
  }
}

static void on_timer(TimerHandle_t timer) {
  CHECK(timer == shared.timer);
  CHECK(tband_freertos_timer_number(timer) == 1);
  tband_evtmarker(MARKER_TIMER, "timer");
}

static void finish(void) {
  taskENTER_CRITICAL();
  const int file = semihost_create("expected.txt");
  CHECK(recording_save());
  CHECK(file >= 0 && semihost_write(file, shared.text, shared.len) && semihost_close(file));
  semihost_exit(0);
}

/* Takes a stream out of the recorder's ring whenever no other task is ready. */
static void reader(void *parameter) {
  (void)parameter;
  for (;;) {
    recording_uart_poll();
    if (stopped) {
      finish();
    }
  }
}

static void boss(void *parameter) {
  (void)parameter;
  expect("task_switched_in task_id=1");
  CHECK(probe(&tband_recorder) != FORBIDDEN);
  for (uint32_t round = 1; round <= ROUNDS; round++) {
    expect("evtmarker evtmarker_id=1 msg=\"round\"");
    tband_evtmarker(MARKER_BOSS, "round");
    expect("queue_send queue_id=1 len_after=1");
    CHECK(xQueueSend(shared.jobs, &round, 0) == pdPASS); /* the worker does it, at once */
    expect("task_switched_in task_id=1");

    expect("curtask_notify_take index=0 value=1 value_after=0");
    CHECK(ulTaskNotifyTake(pdTRUE, portMAX_DELAY) == 1);
    uint32_t result = 0;
    expect("stream_buffer_receive stream_buffer_id=1 amount=%u level_after=0", sizeof result);
    CHECK(xStreamBufferReceive(shared.results, &result, sizeof result, 0) == sizeof result);
    CHECK(result == round);
    expect("event_group_wait_end event_group_id=1 bits=1 flags=2 found=1");
    CHECK(xEventGroupWaitBits(shared.done, 1, pdTRUE, pdFALSE, 0) == 1);
  }
  vTaskDelay(1); /* the timer expires at the next tick, which is far away */
  expect("task_switched_in task_id=1");
  CHECK(xTimerStart(shared.timer, 0) == pdPASS);
  expect("task_switched_in task_id=1"); /* the timer task took the command */
  expect("evtmarker evtmarker_id=3 msg=\"timer\"");
  vTaskDelay(3);
  expect("task_switched_in task_id=1");

  CHECK(shared.failures == 0);
  CHECK(tband_get_dropped_evt_cnt() == shared.refused);
  CHECK(tband_tracing_enabled());
  CHECK(recording_stop());
  stopped = true; /* a ring has one reader */
  vTaskSuspend(NULL);
}

/* By their handles, whatever these are. */
static void name_all(void) {
  tband_freertos_queue_name(shared.jobs, "jobs");
  tband_freertos_stream_buffer_name(shared.results, "results");
  tband_freertos_event_group_name(shared.done, "done");
  tband_freertos_timer_name(shared.timer, "timer");
  CHECK(tband_freertos_queue_number(shared.jobs) == 1);
  CHECK(tband_freertos_stream_buffer_number(shared.results) == 1);
  CHECK(tband_freertos_event_group_number(shared.done) == 1);
  CHECK(tband_freertos_timer_number(shared.timer) == 1);
  shared.own_queue = xSemaphoreCreateMutex();
  shared.own_buffer = xStreamBufferCreate(64, 1);
  shared.own_group = xEventGroupCreate();
  CHECK(shared.own_queue != NULL && shared.own_buffer != NULL && shared.own_group != NULL);
  CHECK(tband_freertos_queue_number(shared.own_queue) == 3); /* 2 is the timer task's */
  tband_freertos_mutex_name(shared.own_queue, "lock");
  CHECK(tband_freertos_queue_number(NULL) == 0);
#if configUSE_MPU_WRAPPERS_V1 == 0
  /* An object of another kind, and none at all. */
  CHECK(tband_freertos_queue_number(shared.results) == 0);
  CHECK(tband_freertos_timer_number(shared.jobs) == 0);
  CHECK(tband_freertos_event_group_number(shared.jobs) == 0);
  CHECK(tband_freertos_stream_buffer_number(shared.timer) == 0);
  CHECK(tband_freertos_queue_number((void *)(uintptr_t)31) == 0);
  CHECK(tband_freertos_queue_number((void *)(uintptr_t)0x20000000) == 0);
#endif
}

int main(void) {
  shared.jobs = xQueueCreate(JOBS, sizeof(uint32_t));
  shared.results = xStreamBufferCreate(64, 1);
  shared.done = xEventGroupCreate();
  shared.timer = xTimerCreate("nameless", 1, pdFALSE, NULL, on_timer);
  CHECK(shared.jobs != NULL && shared.results != NULL && shared.done != NULL && shared.timer != NULL);
  name_all();
  CHECK(recording_start());

  CHECK(xTaskCreate(boss, "boss", configMINIMAL_STACK_SIZE, NULL, PRIORITY_BOSS | portPRIVILEGE_BIT,
                    &shared.boss) == pdPASS);
  const TaskParameters_t parameters = {
      .pvTaskCode = worker,
      .pcName = "worker",
      .usStackDepth = STACK_WORDS,
      .uxPriority = PRIORITY_WORKER,
      .puxStackBuffer = worker_stack,
      .xRegions = {{&shared, sizeof shared,
#if defined(portMPU_REGION_CACHEABLE_BUFFERABLE)
                    portMPU_REGION_READ_WRITE | portMPU_REGION_EXECUTE_NEVER
#else
                    tskMPU_REGION_READ_WRITE | tskMPU_REGION_EXECUTE_NEVER
#endif
      }}};
  TaskHandle_t unprivileged;
  CHECK(xTaskCreateRestricted(&parameters, &unprivileged) == pdPASS);
#if configENABLE_ACCESS_CONTROL_LIST == 1
  vGrantAccessToQueue(unprivileged, shared.jobs);
  vGrantAccessToStreamBuffer(unprivileged, shared.results);
  vGrantAccessToEventGroup(unprivileged, shared.done);
  vGrantAccessToTask(unprivileged, shared.boss);
#endif
  CHECK(xTaskCreate(reader, "reader", configMINIMAL_STACK_SIZE, NULL, PRIORITY_READER | portPRIVILEGE_BIT,
                    NULL) == pdPASS);
  vTaskStartScheduler();
  return 1;
}
