/* Class QUEUE_EXTRA: peeks, items sent to the front, recursive mutexes, and each failure, without waiting,
 * after a time-out, and in an interrupt. */
#include "../harness.h"
#include "queue.h"
#include "semphr.h"

enum { OBJECT_QUEUE = 0, OBJECT_COUNTING_SEMAPHORE = 1, OBJECT_MUTEX = 2 };

static const uint32_t item = 7;
static QueueHandle_t queue;
static SemaphoreHandle_t semaphore, mutex;

static uint32_t queue_number(QueueHandle_t handle) { return tband_freertos_queue_number(handle); }

static void expect_queue(const char *event, QueueHandle_t handle) {
  expect("%s queue_id=%u", event, queue_number(handle));
}

static void full_queue_isr(BaseType_t *woken) {
  uint32_t found;
  expect_queue("queue_send_from_isr_failed", queue);
  CHECK(xQueueSendFromISR(queue, &item, woken) == errQUEUE_FULL);
  expect_queue("queue_peek_from_isr", queue);
  CHECK(xQueuePeekFromISR(queue, &found) == pdPASS && found == item);
  CHECK(xQueueReceiveFromISR(queue, &found, woken) == pdPASS);
  expect_queue("queue_sent_to_front", queue);
  CHECK(xQueueSendToFrontFromISR(queue, &item, woken) == pdPASS);
}

static void empty_queue_isr(BaseType_t *woken) {
  uint32_t found;
  expect_queue("queue_receive_from_isr_failed", queue);
  CHECK(xQueueReceiveFromISR(queue, &found, woken) == pdFAIL);
  expect_queue("queue_peek_from_isr_failed", queue);
  CHECK(xQueuePeekFromISR(queue, &found) == pdFAIL);
}

static void full_semaphore_isr(BaseType_t *woken) {
  expect_queue("queue_send_from_isr_failed", semaphore);
  CHECK(xSemaphoreGiveFromISR(semaphore, woken) == errQUEUE_FULL);
}

static void plain_queue(void) {
  uint32_t found;
  queue = xQueueCreate(1, sizeof item);
  for (TickType_t wait = 0; wait < 2; wait++) {
    expect_queue("queue_receive_failed", queue);
    CHECK(xQueueReceive(queue, &found, wait) == errQUEUE_EMPTY);
    expect_queue("queue_peek_failed", queue);
    CHECK(xQueuePeek(queue, &found, wait) == errQUEUE_EMPTY);
  }
  interrupt(empty_queue_isr);
  expect_queue("queue_sent_to_front", queue);
  CHECK(xQueueSendToFront(queue, &item, 0) == pdPASS);
  for (TickType_t wait = 0; wait < 2; wait++) {
    expect_queue("queue_send_failed", queue);
    CHECK(xQueueSend(queue, &item, wait) == errQUEUE_FULL);
    expect_queue("queue_send_failed", queue);
    CHECK(xQueueSendToFront(queue, &item, wait) == errQUEUE_FULL);
  }
  expect_queue("queue_peek", queue);
  CHECK(xQueuePeek(queue, &found, 0) == pdPASS && found == item);
  interrupt(full_queue_isr);
  CHECK(xQueueOverwrite(queue, &item) == pdPASS); /* neither to the front nor a failure */
  expect_queue("queue_deleted", queue);
  vQueueDelete(queue);
}

static void semaphores(void) {
  semaphore = xSemaphoreCreateCounting(1, 1);
  expect_queue("queue_send_failed", semaphore);
  CHECK(xSemaphoreGive(semaphore) == pdFAIL);
  interrupt(full_semaphore_isr);
  CHECK(xSemaphoreTake(semaphore, 0) == pdPASS);
  for (TickType_t wait = 0; wait < 2; wait++) {
    expect_queue("queue_receive_failed", semaphore);
    CHECK(xSemaphoreTake(semaphore, wait) == pdFAIL);
  }
  expect_queue("queue_deleted", semaphore);
  vSemaphoreDelete(semaphore);
}

/* Wants the mutex while the driver holds it. */
static void other(void *parameter) {
  (void)parameter;
  for (TickType_t wait = 0; wait < 2; wait++) {
    expect("mutex_recursive_take queue_id=%u depth_after=1", queue_number(mutex));
    expect_queue("queue_receive_failed", mutex);
    expect_queue("mutex_recursive_take_failed", mutex);
    CHECK(xSemaphoreTakeRecursive(mutex, wait) == pdFAIL);
  }
  expect_queue("mutex_recursive_give_failed", mutex);
  CHECK(xSemaphoreGiveRecursive(mutex) == pdFAIL);
  end_task();
}

static void mutexes(void) {
  /* The number is known only afterwards, and creating records nothing else of the class. */
  mutex = xSemaphoreCreateMutex();
  expect_queue("mutex_created", mutex);
  CHECK(xSemaphoreTake(mutex, 0) == pdPASS && xSemaphoreGive(mutex) == pdPASS);
  expect_queue("queue_send_failed", mutex);
  CHECK(xSemaphoreGive(mutex) == pdFAIL);
  expect_queue("queue_deleted", mutex);
  vSemaphoreDelete(mutex);

  mutex = xSemaphoreCreateRecursiveMutex();
  expect_queue("mutex_created", mutex);
  for (uint32_t depth = 1; depth <= 3; depth++) {
    expect("mutex_recursive_take queue_id=%u depth_after=%u", queue_number(mutex), depth);
    CHECK(xSemaphoreTakeRecursive(mutex, 0) == pdPASS);
  }
  (void)start_task(other, PRIORITY_HIGH);
  vTaskDelay(3); /* its wait times out */
  for (uint32_t depth = 3; depth > 0; depth--) {
    expect("mutex_recursive_give queue_id=%u depth_after=%u", queue_number(mutex), depth - 1U);
    CHECK(xSemaphoreGiveRecursive(mutex) == pdPASS);
  }
  expect_queue("mutex_recursive_give_failed", mutex);
  CHECK(xSemaphoreGiveRecursive(mutex) == pdFAIL);
  expect_queue("queue_deleted", mutex);
  vSemaphoreDelete(mutex);
}

static void creation_fails(void) {
  exhaust_heap();
  expect("create_failed object=%u", (uint32_t)OBJECT_QUEUE);
  CHECK(xQueueCreate(1, 4) == NULL);
  expect("create_failed object=%u", (uint32_t)OBJECT_QUEUE);
  CHECK(xSemaphoreCreateBinary() == NULL);
  expect("create_failed object=%u", (uint32_t)OBJECT_QUEUE);
  expect("create_failed object=%u", (uint32_t)OBJECT_COUNTING_SEMAPHORE);
  CHECK(xSemaphoreCreateCounting(2, 0) == NULL);
  expect("create_failed object=%u", (uint32_t)OBJECT_QUEUE);
  expect("create_failed object=%u", (uint32_t)OBJECT_MUTEX);
  CHECK(xSemaphoreCreateMutex() == NULL);
  release_heap();

  static StaticSemaphore_t memory;
  const SemaphoreHandle_t fixed = xSemaphoreCreateMutexStatic(&memory);
  expect_queue("mutex_created", fixed);
  expect_queue("queue_deleted", fixed);
  vSemaphoreDelete(fixed);
}

void class_queue_extra(void) {
  plain_queue();
  semaphores();
  mutexes();
  creation_fails();
}
