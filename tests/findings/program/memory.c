/* Mistakes with stacks and the heap. */
#include "findings.h"

/* --- stack-low ------------------------------------------------------------------------------ */

static StackType_t stack[configMINIMAL_STACK_SIZE];
static StaticTask_t task;
static uint32_t unused_bytes;

/* Overwrites its stack down to the bytes that remain unused, as a deep call would. */
static void use_stack(void *unused) {
  (void)unused;
  volatile uint8_t *const bytes = (volatile uint8_t *)stack;
  for (uint32_t at = unused_bytes; at < sizeof stack / 2U; at++) {
    bytes[at] = 0;
  }
  /* The kernel's free bytes are recorded at some of the switches. */
  for (;;) {
    vTaskDelay(1);
  }
}

static void create_with_stack(void) {
  (void)xTaskCreateStatic(use_stack, "deep", configMINIMAL_STACK_SIZE, NULL, MIDDLE, stack, &task);
}

void stack_low_fires(void) {
  unused_bytes = 124;
  create_with_stack();
}

void stack_low_near(void) {
  unused_bytes = 128;
  create_with_stack();
}

/* --- heap-leak ------------------------------------------------------------------------------ */

enum { BLOCK = 32 };
static QueueHandle_t blocks;

static void leak(void *unused) {
  (void)unused;
  for (;;) {
    (void)pvPortMalloc(BLOCK);
    vTaskDelay(10);
  }
}

static void pass_on(void *unused) {
  (void)unused;
  for (;;) {
    void *const block = pvPortMalloc(BLOCK);
    configASSERT(block != NULL);
    (void)xQueueSend(blocks, &block, portMAX_DELAY);
    vTaskDelay(10);
  }
}

static void release(void *unused) {
  (void)unused;
  void *block;
  for (;;) {
    (void)xQueueReceive(blocks, &block, portMAX_DELAY);
    vPortFree(block);
  }
}

void heap_leak_fires(void) { (void)create(leak, "leaky", MIDDLE); }

/* Another task frees the blocks. */
void heap_leak_near(void) {
  blocks = xQueueCreate(4, sizeof(void *));
  configASSERT(blocks != NULL);
  vQueueAddToRegistry(blocks, "blocks");
  (void)create(pass_on, "maker", HIGH);
  (void)create(release, "taker", MIDDLE);
}

/* --- heap-fragmented, heap-exhausted -------------------------------------------------------- */

enum { PIECE = 4096, MAX_PIECES = configTOTAL_HEAP_SIZE / PIECE, SPARE = 8192 };
static void *pieces[MAX_PIECES];

/* Fills the heap, frees every second piece, and requests two pieces in one. */
static void fragment(void *unused) {
  (void)unused;
  uint32_t number = 0;
  while (xPortGetFreeHeapSize() > SPARE + PIECE) {
    pieces[number] = pvPortMalloc(PIECE);
    number++;
  }
  /* The rest of the heap is in use as well. */
  (void)pvPortMalloc(xPortGetFreeHeapSize() - 64U);
  for (uint32_t place = 0; place < number; place += 2U) {
    vPortFree(pieces[place]);
  }
  configASSERT(xPortGetFreeHeapSize() > 4U * PIECE);
  configASSERT(pvPortMalloc(2 * PIECE) == NULL);
  finish();
}

static void request_too_much(void *unused) {
  (void)unused;
  configASSERT(pvPortMalloc(xPortGetFreeHeapSize() + PIECE) == NULL);
  finish();
}

void heap_fragmented_fires(void) { (void)create(fragment, "user", MIDDLE); }

void heap_fragmented_near(void) { (void)create(request_too_much, "user", MIDDLE); }

void heap_exhausted_fires(void) { heap_fragmented_near(); }

void heap_exhausted_near(void) { heap_fragmented_fires(); }
