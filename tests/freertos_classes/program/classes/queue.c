/* Class QUEUE: each kind of object created, and its level after each act: sent, overwritten and received by
 * tasks and interrupts, given, taken, reset; the three waits with their ticks; queue sets. */
#include "../harness.h"
#include "queue.h"
#include "semphr.h"

enum { QUEUE, COUNTING_SEMAPHORE, BINARY_SEMAPHORE, MUTEX, RECURSIVE_MUTEX, QUEUE_SET };

static uint32_t item = 7;
static QueueHandle_t queue, set;
static SemaphoreHandle_t semaphore, mutex;

static uint32_t number(QueueHandle_t handle) { return tband_freertos_queue_number(handle); }

/* Of an act, or of the level at the creation. */
static void expect_level(const char *event, QueueHandle_t handle, uint32_t level) {
  expect("%s queue_id=%u len_after=%u", event, number(handle), level);
}

static void expect_wait(const char *event, QueueHandle_t handle, uint32_t ticks) {
  expect("%s queue_id=%u ticks_to_wait=%u", event, number(handle), ticks);
}

static void expect_length(QueueHandle_t handle, uint32_t length) {
  expect("queue_cur_length queue_id=%u length=%u", number(handle), length);
}

/* The number is known only afterwards. */
static QueueHandle_t created(QueueHandle_t handle, uint32_t kind) {
  expect("queue_created queue_id=%u", number(handle));
  expect_metadata("queue_kind queue_id=%u kind=%u", number(handle), kind);
  expect_length(handle, 0);
  return handle;
}

/* A mutex is free since something has been sent to it. */
static SemaphoreHandle_t created_mutex(SemaphoreHandle_t handle, uint32_t kind) {
  (void)created(handle, kind);
  expect_level("queue_send", handle, 1);
  return handle;
}

static SemaphoreHandle_t created_counting(SemaphoreHandle_t handle, uint32_t count) {
  (void)created(handle, COUNTING_SEMAPHORE);
  expect_length(handle, count);
  return handle;
}

/* --- What does not wait ------------------------------------------------------------------------------ */

static void kinds(void) {
  static StaticQueue_t memory;
  static uint8_t storage[2 * sizeof item];
  queue = created(xQueueCreateStatic(2, sizeof item, storage, &memory), QUEUE);
  vQueueDelete(queue);
  vSemaphoreDelete(created(xSemaphoreCreateBinary(), BINARY_SEMAPHORE));
  vSemaphoreDelete(created(xSemaphoreCreateBinaryStatic(&memory), BINARY_SEMAPHORE));
  vSemaphoreDelete(created_counting(xSemaphoreCreateCounting(5, 0), 0));
  vSemaphoreDelete(created_counting(xSemaphoreCreateCountingStatic(5, 4, &memory), 4));
  vSemaphoreDelete(created_mutex(xSemaphoreCreateMutex(), MUTEX));
  vSemaphoreDelete(created_mutex(xSemaphoreCreateMutexStatic(&memory), MUTEX));
  vSemaphoreDelete(created_mutex(xSemaphoreCreateRecursiveMutex(), RECURSIVE_MUTEX));
  vQueueDelete(created(xQueueCreateSet(1), QUEUE_SET));
}

static void queue_isr(BaseType_t *woken) {
  expect_level("queue_send_from_isr", queue, 3);
  CHECK(xQueueSendToBackFromISR(queue, &item, woken) == pdPASS);
  expect_level("queue_send_from_isr", queue, 4);
  CHECK(xQueueSendToFrontFromISR(queue, &item, woken) == pdPASS);
  CHECK(xQueueSendFromISR(queue, &item, woken) == errQUEUE_FULL);
  for (uint32_t level = 3; level > 0; level--) {
    uint32_t found;
    expect_level("queue_receive_from_isr", queue, level);
    CHECK(xQueueReceiveFromISR(queue, &found, woken) == pdPASS);
  }
}

static void plain_queue(void) {
  uint32_t found;
  queue = created(xQueueCreate(4, sizeof item), QUEUE);
  expect_metadata("queue_name queue_id=%u name=\"items\"", number(queue));
  vQueueAddToRegistry(queue, "items");
  expect_level("queue_send", queue, 1);
  CHECK(xQueueSendToBack(queue, &item, 0) == pdPASS);
  expect_level("queue_send", queue, 2);
  CHECK(xQueueSendToFront(queue, &item, 0) == pdPASS);
  interrupt(queue_isr);
  expect_level("queue_receive", queue, 0);
  CHECK(xQueueReceive(queue, &found, 0) == pdPASS && found == item);
  CHECK(xQueueReceive(queue, &found, 0) == errQUEUE_EMPTY);
  expect_level("queue_send", queue, 1);
  CHECK(xQueueSend(queue, &item, 0) == pdPASS);
  CHECK(xQueuePeek(queue, &found, 0) == pdPASS);
  expect("queue_reset queue_id=%u", number(queue));
  CHECK(xQueueReset(queue) == pdPASS);
  vQueueDelete(queue);
}

static void resetting_isr(BaseType_t *woken) {
  expect_level("queue_send_from_isr", queue, 1);
  CHECK(xQueueSendFromISR(queue, &item, woken) == pdPASS);
}

/* An interrupt while the kernel resets: what it sends is after the reset that is recorded, and still there.
 * Nothing keeps it out before the kernel's own critical section where nothing is recorded. */
static void plain_queue_reset(void) {
  queue = created(xQueueCreate(3, sizeof item), QUEUE);
  if (interrupts_are_real && (tband_configFREERTOS_QUEUE_TRACE_ENABLE != 0)) {
    expect_level("queue_send", queue, 1);
    CHECK(xQueueSend(queue, &item, 0) == pdPASS);
    expect("queue_reset queue_id=%u", number(queue));
    interrupt_at_assertion(resetting_isr);
    CHECK(xQueueReset(queue) == pdPASS);
    CHECK(uxQueueMessagesWaiting(queue) == 1);
  }
  /* Refused: recorded neither now nor later. */
  allow_assertions(2);
  CHECK(xQueueReset(NULL) == pdFAIL);
  vQueueDelete(queue);
}

static void mailbox_isr(BaseType_t *woken) {
  for (unsigned i = 0; i < 2; i++) {
    expect_level("queue_overwrite_from_isr", queue, 1);
    CHECK(xQueueOverwriteFromISR(queue, &item, woken) == pdPASS);
  }
}

static void mailbox(void) {
  queue = created(xQueueCreate(1, sizeof item), QUEUE);
  for (unsigned i = 0; i < 2; i++) {
    expect_level("queue_overwrite", queue, 1);
    CHECK(xQueueOverwrite(queue, &item) == pdPASS);
  }
  expect("queue_reset queue_id=%u", number(queue));
  CHECK(xQueueReset(queue) == pdPASS);
  interrupt(mailbox_isr);
  vQueueDelete(queue);
}

static void semaphore_isr(BaseType_t *woken) {
  expect_level("queue_send_from_isr", semaphore, 2);
  CHECK(xSemaphoreGiveFromISR(semaphore, woken) == pdPASS);
  expect_level("queue_receive_from_isr", semaphore, 1);
  CHECK(xSemaphoreTakeFromISR(semaphore, woken) == pdPASS);
}

static void semaphores(void) {
  semaphore = created_counting(xSemaphoreCreateCounting(2, 0), 0);
  expect_level("queue_send", semaphore, 1);
  CHECK(xSemaphoreGive(semaphore) == pdPASS);
  interrupt(semaphore_isr);
  expect_level("queue_receive", semaphore, 0);
  CHECK(xSemaphoreTake(semaphore, 0) == pdPASS);
  CHECK(xSemaphoreTake(semaphore, 0) == pdFAIL);
  vSemaphoreDelete(semaphore);

  /* Of a recursive mutex the outermost take and give only. */
  mutex = created_mutex(xSemaphoreCreateRecursiveMutex(), RECURSIVE_MUTEX);
  expect_level("queue_receive", mutex, 0);
  CHECK(xSemaphoreTakeRecursive(mutex, 0) == pdPASS && xSemaphoreTakeRecursive(mutex, 0) == pdPASS);
  expect_level("queue_send", mutex, 1);
  CHECK(xSemaphoreGiveRecursive(mutex) == pdPASS && xSemaphoreGiveRecursive(mutex) == pdPASS);
  vSemaphoreDelete(mutex);
}

/* --- Waits ------------------------------------------------------------------------------------------------ */

static void reader(void *parameter) {
  (void)parameter;
  uint32_t found;
  expect_wait("curtask_block_on_queue_peek", queue, (uint32_t)portMAX_DELAY);
  CHECK(xQueuePeek(queue, &found, portMAX_DELAY) == pdPASS);
  expect_level("queue_receive", queue, 0);
  CHECK(xQueueReceive(queue, &found, 0) == pdPASS);
  expect_wait("curtask_block_on_queue_receive", queue, (uint32_t)portMAX_DELAY);
  CHECK(xQueueReceive(queue, &found, portMAX_DELAY) == pdPASS);
  expect_level("queue_receive", queue, 0);
  expect_wait("curtask_block_on_queue_receive", queue, 8);
  CHECK(xQueueReceive(queue, &found, 8) == pdPASS);
  expect_level("queue_receive", queue, 0);
  end_task();
}

static void send_isr(BaseType_t *woken) {
  expect_level("queue_send_from_isr", queue, 1);
  CHECK(xQueueSendFromISR(queue, &item, woken) == pdPASS && *woken == pdTRUE);
}

/* Of a queue of length 1. */
static void writer(void *parameter) {
  (void)parameter;
  for (unsigned i = 0; i < 2; i++) {
    expect_wait("curtask_block_on_queue_send", queue, 9);
    CHECK(xQueueSend(queue, &item, 9) == pdPASS);
    expect_level("queue_send", queue, 1);
  }
  end_task();
}

/* Less urgent than the driver, which takes the item that woke it. */
static void unlucky(void *parameter) {
  (void)parameter;
  uint32_t found;
  expect_wait("curtask_block_on_queue_receive", queue, 5);
  CHECK(xQueueReceive(queue, &found, 5) == pdPASS);
  expect_level("queue_receive", queue, 0);
  end_task();
}

static void waits(void) {
  uint32_t found;
  queue = created(xQueueCreate(1, sizeof item), QUEUE);
  (void)start_task(reader, PRIORITY_HIGH);
  for (unsigned i = 0; i < 2; i++) {
    expect_level("queue_send", queue, 1);
    CHECK(xQueueSend(queue, &item, 0) == pdPASS);
  }
  interrupt(send_isr);

  expect_level("queue_send", queue, 1);
  CHECK(xQueueSend(queue, &item, 0) == pdPASS);
  (void)start_task(writer, PRIORITY_HIGH);
  expect_level("queue_receive", queue, 0);
  CHECK(xQueueReceive(queue, &found, 0) == pdPASS);
  expect("queue_reset queue_id=%u", number(queue));
  CHECK(xQueueReset(queue) == pdPASS);

  /* Time-outs. */
  expect_wait("curtask_block_on_queue_send", queue, 2);
  CHECK(xQueueSend(queue, &item, 2) == errQUEUE_FULL);
  expect_level("queue_receive", queue, 0);
  CHECK(xQueueReceive(queue, &found, 0) == pdPASS);
  expect_wait("curtask_block_on_queue_receive", queue, 2);
  CHECK(xQueueReceive(queue, &found, 2) == errQUEUE_EMPTY);
  expect_wait("curtask_block_on_queue_peek", queue, 2);
  CHECK(xQueuePeek(queue, &found, 2) == errQUEUE_EMPTY);

  /* A wake-up for nothing: the rest of the time is waited. */
  (void)start_task(unlucky, PRIORITY_LOW);
  vTaskDelay(1);
  expect_level("queue_send", queue, 1);
  CHECK(xQueueSend(queue, &item, 0) == pdPASS);
  expect_level("queue_receive", queue, 0);
  CHECK(xQueueReceive(queue, &found, 0) == pdPASS);
  expect_wait("curtask_block_on_queue_receive", queue, 4);
  vTaskDelay(1);
  expect_level("queue_send", queue, 1);
  CHECK(xQueueSend(queue, &item, 0) == pdPASS);
  vTaskDelay(1);
  vQueueDelete(queue);

  mutex = created_mutex(xSemaphoreCreateMutex(), MUTEX);
  semaphore = created(xSemaphoreCreateBinary(), BINARY_SEMAPHORE);
  expect_wait("curtask_block_on_queue_receive", semaphore, 1);
  CHECK(xSemaphoreTake(semaphore, 1) == pdFAIL);
  expect_level("queue_receive", mutex, 0);
  CHECK(xSemaphoreTake(mutex, 1) == pdPASS);
  expect_level("queue_send", mutex, 1);
  CHECK(xSemaphoreGive(mutex) == pdPASS);
  vSemaphoreDelete(semaphore);
  vSemaphoreDelete(mutex);
}

/* --- Queue sets --------------------------------------------------------------------------------------------- */

static void set_isr(BaseType_t *woken) {
  expect_level("queue_send_from_isr", queue, 1);
  expect_level("queue_send", set, 2); /* the kernel has one hook for tasks and interrupts */
  CHECK(xQueueSendFromISR(queue, &item, woken) == pdPASS);
}

static void selector(void *parameter) {
  (void)parameter;
  uint32_t found;
  expect_wait("curtask_block_on_queue_receive", set, (uint32_t)portMAX_DELAY);
  CHECK(xQueueSelectFromSet(set, portMAX_DELAY) == queue);
  expect_level("queue_receive", set, 0);
  expect_level("queue_receive", queue, 0);
  CHECK(xQueueReceive(queue, &found, 0) == pdPASS);
  end_task();
}

static void queue_sets(void) {
  uint32_t found;
  queue = created(xQueueCreate(1, sizeof item), QUEUE);
  semaphore = created(xSemaphoreCreateBinary(), BINARY_SEMAPHORE);
  set = created(xQueueCreateSet(2), QUEUE_SET);
  CHECK(xQueueAddToSet(queue, set) == pdPASS && xQueueAddToSet(semaphore, set) == pdPASS);
  (void)start_task(selector, PRIORITY_HIGH);
  expect_level("queue_send", queue, 1);
  expect_level("queue_send", set, 1);
  CHECK(xQueueSend(queue, &item, 0) == pdPASS);

  expect_level("queue_send", semaphore, 1);
  expect_level("queue_send", set, 1);
  CHECK(xSemaphoreGive(semaphore) == pdPASS);
  interrupt(set_isr);
  expect_level("queue_receive", set, 1);
  CHECK(xQueueSelectFromSet(set, 0) == semaphore);
  expect_level("queue_receive", semaphore, 0);
  CHECK(xSemaphoreTake(semaphore, 0) == pdPASS);
  /* Overwriting notifies the set only of an item that is new. */
  expect_level("queue_overwrite", queue, 1);
  CHECK(xQueueOverwrite(queue, &item) == pdPASS);
  expect_level("queue_receive", set, 0);
  CHECK(xQueueSelectFromSet(set, 0) == queue);
  expect_level("queue_receive", queue, 0);
  CHECK(xQueueReceive(queue, &found, 0) == pdPASS);
  CHECK(xQueueRemoveFromSet(queue, set) == pdPASS && xQueueRemoveFromSet(semaphore, set) == pdPASS);
  vQueueDelete(set);
  vSemaphoreDelete(semaphore);
  vQueueDelete(queue);
}

void class_queue(void) {
  kinds();
  plain_queue();
  plain_queue_reset();
  mailbox();
  semaphores();
  waits();
  queue_sets();
}
