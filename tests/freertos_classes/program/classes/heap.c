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

/* A request that cannot be met is recorded with the size of the block that it needs: 0 if that exceeds a size_t. */
static void refuse(size_t size, size_t block) {
  CHECK(pvPortMalloc(size) == NULL);
  expect_malloc(NULL, (uint32_t)block);
}

void class_heap(void) {
  const uint32_t at_first = bytes_free();
  void *const small = take(1);
  /* One byte takes a header, and one unit of the alignment. */
  const size_t header = at_first - bytes_free() - portBYTE_ALIGNMENT;
  void *const large = take(1000);
  void *const third = take(24);
  CHECK(small != NULL && large != NULL && third != NULL);
  give_back(large);
  void *const again = take(500); /* from the gap */
  CHECK(again == large);
  refuse(configTOTAL_HEAP_SIZE, configTOTAL_HEAP_SIZE + header);
  refuse(0, 0);
  refuse(SIZE_MAX, 0);
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
