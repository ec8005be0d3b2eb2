/* Class HEAP (heap_4): memory that the program takes, and that the kernel takes for an object; requests
 * that cannot be met. Addresses and sizes are compared as they are, since the program sees them. */
#include "../harness.h"
#include "queue.h"

static uint32_t bytes_free(void) { return (uint32_t)xPortGetFreeHeapSize(); }

static void expect_malloc(const void *address, uint32_t size) {
  expect("heap_malloc address=%u size=%u bytes_free=%u", low_bits((uintptr_t)address), size, bytes_free());
}

static void *take(size_t size) {
  const uint32_t before = bytes_free();
  void *const block = pvPortMalloc(size);
  expect_malloc(block, before - bytes_free());
  return block;
}

static void give_back(void *block) {
  const uint32_t before = bytes_free();
  vPortFree(block);
  expect("heap_free address=%u size=%u bytes_free=%u", low_bits((uintptr_t)block), bytes_free() - before,
         bytes_free());
}

void class_heap(void) {
  void *const small = take(1);
  void *const large = take(1000);
  void *const third = take(24);
  CHECK(small != NULL && large != NULL && third != NULL);
  give_back(large);
  void *const again = take(500); /* from the gap */
  CHECK(again == large);
  CHECK(take(configTOTAL_HEAP_SIZE) == NULL);
  CHECK(take(0) == NULL);
  CHECK(take(SIZE_MAX) == NULL);
  give_back(third);
  give_back(small);
  give_back(again);
  vPortFree(NULL); /* nothing */

  const uint32_t before = bytes_free();
  const QueueHandle_t queue = xQueueCreate(3, 5);
  const uint32_t size = before - bytes_free();
  CHECK(size >= 15);
  expect_malloc(queue, size);
  vQueueDelete(queue);
  expect("heap_free address=%u size=%u bytes_free=%u", low_bits((uintptr_t)queue), size, before);
}
