/* Class EVENT_GROUP: bits set and cleared by tasks and interrupts; waits for any and for all, with and
 * without clearing; rendezvous; each with what it finds at once, after blocking and after a time-out. */
#include "../harness.h"
#include "event_groups.h"

enum { ALL = 1, CLEAR = 2, TIMED_OUT = 4 };
enum { OBJECT_EVENT_GROUP = 4 };

static EventGroupHandle_t group;
static uint32_t group_id;

static void create(void) {
  group = xEventGroupCreate();
  group_id = tband_freertos_event_group_number(group);
  expect("event_group_created event_group_id=%u", group_id);
}

static void expect_set(uint32_t bits, uint32_t bits_after) {
  expect("event_group_set_bits event_group_id=%u bits=%u bits_after=%u", group_id, bits, bits_after);
}

static void expect_clear(uint32_t bits, uint32_t bits_after) {
  expect("event_group_clear_bits event_group_id=%u bits=%u bits_after=%u", group_id, bits, bits_after);
}

static void expect_block(uint32_t bits, uint32_t flags, uint32_t ticks) {
  expect("curtask_block_on_event_group_wait event_group_id=%u bits=%u flags=%u ticks_to_wait=%u", group_id,
         bits, flags, ticks);
}

static void expect_end(uint32_t bits, uint32_t flags, uint32_t found) {
  expect("event_group_wait_end event_group_id=%u bits=%u flags=%u found=%u", group_id, bits, flags, found);
}

static uint32_t wait(uint32_t bits, uint32_t flags, TickType_t ticks) {
  return (uint32_t)xEventGroupWaitBits(group, bits, ((flags & CLEAR) != 0) ? pdTRUE : pdFALSE,
                                       ((flags & ALL) != 0) ? pdTRUE : pdFALSE, ticks);
}

/* --- Bits and waits -------------------------------------------------------------------------------- */

static void waiter(void *parameter) {
  (void)parameter;
  expect_block(0x3, ALL | CLEAR, (uint32_t)portMAX_DELAY);
  CHECK(wait(0x3, ALL | CLEAR, portMAX_DELAY) == 0x7);
  expect_end(0x3, ALL | CLEAR, 0x7);
  expect_block(0x18, 0, 50);
  CHECK(wait(0x18, 0, 50) == 0x14);
  expect_end(0x18, 0, 0x14);
  expect_block(0x100, CLEAR, 2);
  CHECK(wait(0x100, CLEAR, 2) == 0x14);
  expect_end(0x100, CLEAR | TIMED_OUT, 0x14);
  end_task();
}

static void waits(void) {
  (void)start_task(waiter, PRIORITY_HIGH);
  expect_set(0x5, 0x5); /* one of the two that it waits for */
  CHECK(xEventGroupSetBits(group, 0x5) == 0x5);
  expect_set(0x2, 0x7);
  CHECK(xEventGroupSetBits(group, 0x2) == 0x4);
  expect_set(0x10, 0x14);
  CHECK(xEventGroupSetBits(group, 0x10) == 0x14);
  vTaskDelay(4); /* the time-out */

  /* At once, with and without success. */
  CHECK(wait(0x14, ALL, portMAX_DELAY) == 0x14);
  expect_end(0x14, ALL, 0x14);
  CHECK(wait(0x4, CLEAR, 0) == 0x14);
  expect_end(0x4, CLEAR, 0x14);
  CHECK(wait(0x4, ALL, 0) == 0x10);
  expect_end(0x4, ALL | TIMED_OUT, 0x10);
  expect_clear(0x30, 0);
  CHECK(xEventGroupClearBits(group, 0x30) == 0x10);
}

/* --- Interrupts: the timer task carries out what they ask for ---------------------------------------- */

static void set_isr(BaseType_t *woken) {
  expect("event_group_set_bits_from_isr event_group_id=%u bits=%u", group_id, UINT32_C(0x60));
  expect_set(0x60, 0x60);
  CHECK(xEventGroupSetBitsFromISR(group, 0x60, woken) == pdPASS);
}

static void clear_isr(BaseType_t *woken) {
  expect("event_group_clear_bits_from_isr event_group_id=%u bits=%u", group_id, UINT32_C(0x40));
  expect_clear(0x40, 0x20);
  CHECK(xEventGroupClearBitsFromISR(group, 0x40) == pdPASS);
  *woken = pdTRUE;
}

static void interrupts(void) {
  interrupt(set_isr);
  expect_clear(0, 0x60); /* so the kernel reads the bits */
  CHECK(xEventGroupGetBits(group) == 0x60);
  interrupt(clear_isr);
  expect_clear(0xFF, 0);
  CHECK(xEventGroupClearBits(group, 0xFF) == 0x20);
}

/* --- Rendezvous ------------------------------------------------------------------------------------------ */

static void expect_sync_block(uint32_t set, uint32_t ticks) {
  expect("curtask_block_on_event_group_sync event_group_id=%u set=%u bits=7 ticks_to_wait=%u", group_id, set,
         ticks);
}

static void expect_sync_end(uint32_t set, uint32_t flags, uint32_t found) {
  expect("event_group_sync_end event_group_id=%u set=%u bits=7 flags=%u found=%u", group_id, set, flags,
         found);
}

static void first(void *parameter) {
  (void)parameter;
  expect_set(0x1, 0x1);
  expect_sync_block(0x1, 2);
  CHECK(xEventGroupSync(group, 0x1, 0x7, 2) == 0x1);
  expect_sync_end(0x1, TIMED_OUT, 0x1);

  expect_set(0x1, 0x1);
  expect_sync_block(0x1, (uint32_t)portMAX_DELAY);
  CHECK(xEventGroupSync(group, 0x1, 0x7, portMAX_DELAY) == 0xF);
  expect_sync_end(0x1, 0, 0xF);
  end_task();
}

static void second(void *parameter) {
  (void)parameter;
  expect_set(0x2, 0x3);
  expect_sync_block(0x2, 100);
  CHECK(xEventGroupSync(group, 0x2, 0x7, 100) == 0xF);
  expect_sync_end(0x2, 0, 0xF);
  end_task();
}

static void rendezvous(void) {
  (void)start_task(first, PRIORITY_HIGH + 1);
  vTaskDelay(3); /* its first one times out, the second one blocks */
  (void)start_task(second, PRIORITY_HIGH);
  expect_set(0x8, 0xB); /* not enough */
  expect_sync_end(0x8, TIMED_OUT, 0xB);
  CHECK(xEventGroupSync(group, 0x8, 0x7, 0) == 0xB);
  expect_set(0x4, 0xF);
  CHECK(xEventGroupSync(group, 0x4, 0x7, portMAX_DELAY) == 0xF);
  /* The others run when the kernel resumes the scheduler, before its trace macro for the end of this call. */
  expect_sync_end(0x4, 0, 0xF);
  expect_clear(0xFF, 0);
  CHECK(xEventGroupClearBits(group, 0xFF) == 0x8);
}

/* --- Ticks of 64 bits: bits 32 to 55 ------------------------------------------------------------------- */

#if configTICK_TYPE_WIDTH_IN_BITS == TICK_TYPE_WIDTH_64_BITS
#define HIGH(bit) ((EventBits_t)1 << (bit))
enum { BY_ISR = 48 };

/* The upper halves of two numbers of the next event. */
static void expect_high(EventBits_t bits, EventBits_t after) {
  expect("bits of=%u is=%U", group_id, (uint64_t)(bits >> 32) | ((uint64_t)(after >> 32) << 24));
}

static void waits_for_high(void *parameter) {
  (void)parameter;
  expect_high(HIGH(40), 0);
  expect_block(0x2, ALL | CLEAR, (uint32_t)portMAX_DELAY);
  CHECK(xEventGroupWaitBits(group, HIGH(40) | 0x2, pdTRUE, pdTRUE, portMAX_DELAY) == (HIGH(40) | HIGH(55) | 0x2));
  expect_high(HIGH(40), HIGH(40) | HIGH(55));
  expect_end(0x2, ALL | CLEAR, 0x2);
  end_task();
}

static void set_high_isr(BaseType_t *woken) {
  expect("bits of=%u is=%U", group_id, (uint64_t)(HIGH(33) >> 32) | HIGH(BY_ISR));
  expect("event_group_set_bits_from_isr event_group_id=%u bits=%u", group_id, UINT32_C(0));
  expect_set(0, 0); /* the timer task gets 32 bits only */
  CHECK(xEventGroupSetBitsFromISR(group, HIGH(33), woken) == pdPASS);
}

static void high_bits(void) {
  (void)start_task(waits_for_high, PRIORITY_HIGH);
  expect_high(HIGH(55), HIGH(55));
  expect_set(0x2, 0x2); /* bit 40 is missing */
  CHECK(xEventGroupSetBits(group, HIGH(55) | 0x2) == (HIGH(55) | 0x2));
  expect_high(HIGH(40), HIGH(40) | HIGH(55));
  expect_set(0, 0x2);
  CHECK(xEventGroupSetBits(group, HIGH(40)) == HIGH(55));
  expect_high(HIGH(55), 0);
  expect_clear(0, 0);
  CHECK(xEventGroupClearBits(group, HIGH(55)) == HIGH(55));
  interrupt(set_high_isr);
  expect_clear(0, 0);
  CHECK(xEventGroupGetBits(group) == 0);
}
#endif

/* --- The end of a group ------------------------------------------------------------------------------------ */

static void orphan(void *parameter) {
  (void)parameter;
  expect_block(0x1, 0, (uint32_t)portMAX_DELAY);
  CHECK(wait(0x1, 0, portMAX_DELAY) == 0);
  expect_end(0x1, 0, 0);
  end_task();
}

static void late_orphan(void *parameter) {
  (void)parameter;
  expect_set(0x2, 0x2);
  expect_sync_block(0x2, 100);
  CHECK(xEventGroupSync(group, 0x2, 0x7, 100) == 0);
  expect_sync_end(0x2, 0, 0);
  end_task();
}

static void faulty(void *parameter) {
  (void)parameter;
  (void)xEventGroupWaitBits(NULL, 1, pdFALSE, pdFALSE, 0);
}

static void deletion(void) {
  (void)start_task(orphan, PRIORITY_HIGH);
  expect("event_group_deleted event_group_id=%u", group_id);
  vEventGroupDelete(group);

  /* The group's memory is free when the waits end. */
  create();
  (void)start_task(orphan, PRIORITY_LOW);
  (void)start_task(late_orphan, PRIORITY_LOW);
  vTaskDelay(1);
  expect("event_group_deleted event_group_id=%u", group_id);
  vEventGroupDelete(group);
  vTaskDelay(1);
  start_faulty_task(faulty); /* records nothing */

  exhaust_heap();
  expect("create_failed object=%u", (uint32_t)OBJECT_EVENT_GROUP);
  CHECK(xEventGroupCreate() == NULL);
  release_heap();
  expect("create_failed object=%u", (uint32_t)OBJECT_EVENT_GROUP);
  allow_assertions(1);
  CHECK(xEventGroupCreateStatic(NULL) == NULL);
}

void class_event_group(void) {
  create();
  expect_metadata("event_group_name event_group_id=%u name=\"gate\"", group_id);
  tband_freertos_event_group_name(group, "gate");
  waits();
  interrupts();
  rendezvous();
#if configTICK_TYPE_WIDTH_IN_BITS == TICK_TYPE_WIDTH_64_BITS
  high_bits();
#endif
  deletion();
}
