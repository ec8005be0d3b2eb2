/*
 * Creates and names all queues, semaphores, mutexes and tasks. Called by main()
 * before the scheduler starts, while the recording runs already.
 */
#include "app.h"

enum {
  DATA_LENGTH = 4,
  UART_RX_LENGTH = 8,
  UART_TX_LENGTH = 4,
  SCRATCH_LENGTH = 3,
  DONE_MAX = 32,
};

struct rec_queue *q_data, *q_mailbox, *q_scratch, *q_uart_rx, *q_uart_tx, *q_latest;
struct rec_queue *set_events;
struct rec_queue *m_bus, *m_config;
struct rec_queue *s_slots, *s_dma_done, *s_wake_mid, *s_wake_high, *s_blink_go, *s_done;
TimerHandle_t timer_heartbeat;
struct rec_task *t_display, *t_blinker, *t_sleeper;

/* A queue that is named by the kernel's queue registry. */
static struct rec_queue *registered_queue(QueueHandle_t handle, enum rec_queue_kind kind,
                                          const char *name) {
  struct rec_queue *q = rec_queue_add(handle, kind, name);
  vQueueAddToRegistry(handle, name);
  return q;
}

static struct rec_queue *binary_semaphore(const char *name) {
  const SemaphoreHandle_t s = xSemaphoreCreateBinary();
  struct rec_queue *q = rec_queue_add(s, REC_BINARY, name);
  tband_freertos_binary_semaphore_name(s, name);
  return q;
}

static struct rec_queue *counting_semaphore(UBaseType_t max, UBaseType_t initial,
                                            const char *name) {
  const SemaphoreHandle_t s = xSemaphoreCreateCounting(max, initial);
  struct rec_queue *q = rec_queue_add(s, REC_COUNTING, name);
  tband_freertos_counting_semaphore_name(s, name);
  return q;
}

void app_create_objects(void) {
  q_data = rec_queue_add(xQueueCreate(DATA_LENGTH, sizeof(uint32_t)), REC_QUEUE, "data");
  tband_freertos_queue_name(q_data->handle, "data");

  static StaticQueue_t scratch;
  static uint8_t scratch_storage[SCRATCH_LENGTH * sizeof(uint32_t)];
  q_scratch = registered_queue(
      xQueueCreateStatic(SCRATCH_LENGTH, sizeof(uint32_t), scratch_storage, &scratch), REC_QUEUE,
      "scratch");

  q_mailbox = registered_queue(xQueueCreate(1, sizeof(int32_t)), REC_QUEUE, "mailbox");
  q_uart_tx = registered_queue(xQueueCreate(UART_TX_LENGTH, 1), REC_QUEUE, "uart_tx");
  q_latest = registered_queue(xQueueCreate(1, sizeof(uint32_t)), REC_QUEUE, "latest");

  q_uart_rx = registered_queue(xQueueCreate(UART_RX_LENGTH, 1), REC_QUEUE, "uart_rx");
  s_dma_done = binary_semaphore("dma_done");
  set_events = registered_queue(xQueueCreateSet(UART_RX_LENGTH + 1), REC_SET, "events");
  rec_queue_set_add(q_uart_rx, set_events);
  rec_queue_set_add(s_dma_done, set_events);

  m_bus = rec_queue_add(xSemaphoreCreateMutex(), REC_MUTEX, "bus");
  tband_freertos_mutex_name(m_bus->handle, "bus");
  m_config = rec_queue_add(xSemaphoreCreateRecursiveMutex(), REC_RECURSIVE, "config");
  tband_freertos_recursive_mutex_name(m_config->handle, "config");

  s_slots = counting_semaphore(3, 2, "slots");
  s_done = counting_semaphore(DONE_MAX, 0, "done");
  s_wake_mid = binary_semaphore("wake_mid");
  s_wake_high = binary_semaphore("wake_high");
  s_blink_go = binary_semaphore("blink_go");

  /* The kernel creates its timer task's queue when the first timer is created. */
  rec_timer_queue_add("TmrQ");
  timer_heartbeat = xTimerCreate("heartbeat", pdMS_TO_TICKS(25), pdTRUE, NULL, heartbeat_callback);
  configASSERT(timer_heartbeat != NULL);

  app_name_isrs();
  rec_evtmarker_name(EVT_PHASE, "phase");
  rec_evtmarker_name(EVT_BATCH, "batch");
  rec_evtmarker_name(EVT_BUS, "bus access");
  rec_evtmarker_name(EVT_UART_NOTE, "uart note");
  rec_valmarker_name(VAL_TEMPERATURE, "temperature");
  rec_valmarker_name(VAL_EXTREMES, "extremes");
  rec_valmarker_name(VAL_CONSUMED, "consumed");
}

void app_create_tasks(void) {
  static StackType_t sensor_stack[configMINIMAL_STACK_SIZE];
  static StaticTask_t sensor_tcb;

  (void)rec_task_create(control_task, "control", NULL, 7);
  (void)rec_task_create(driver_task, "driver", NULL, 6);
  (void)rec_task_create(high_task, "high", NULL, 5);
  (void)rec_task_create(operator_task, "operator", NULL, 5);
  (void)rec_task_create_static(sensor_task, "sensor", 4, sensor_stack, configMINIMAL_STACK_SIZE,
                               &sensor_tcb);
  t_sleeper = rec_task_create(sleeper_task, "sleeper", NULL, 4);
  (void)rec_task_create(mid_task, "mid", NULL, 3);
  (void)rec_task_create(producer_task, "producer", NULL, 3);
  (void)rec_task_create(consumer_task, "consumer", NULL, 2);
  t_display = rec_task_create(display_task, "display", NULL, 2);
  t_blinker = rec_task_create(blinker_task, "blinker", NULL, 2);
  (void)rec_task_create(config_user_task, "reader", "reading", 2);
  (void)rec_task_create(config_user_task, "writer", "writing", 2);
  (void)rec_task_create(low_task, "low", NULL, 1);
}
