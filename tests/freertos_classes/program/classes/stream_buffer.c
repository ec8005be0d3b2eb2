/* Class STREAM_BUFFER: the three kinds, by tasks and interrupts; partial, blocked, timed out and failed
 * sends and receives; resets, deletion, failed creation. */
#include "../harness.h"
#include "message_buffer.h"
#include "stream_buffer.h"

enum { KIND_STREAM = 0, KIND_MESSAGE = 1, KIND_BATCHING = 2 };
enum { OBJECT_STREAM_BUFFER = 5 };
/* A message has its length in front. */
enum { LENGTH = sizeof(configMESSAGE_BUFFER_LENGTH_TYPE) };
enum { STREAM_SIZE = 10, STREAM_TRIGGER = 3, MESSAGE_SIZE = 40, BATCHING_SIZE = 8, BATCHING_TRIGGER = 4 };

static StreamBufferHandle_t buffer;
static uint32_t id;
static uint32_t level; /* bytes that must be in the buffer */
static uint8_t bytes[64];

static void created(StreamBufferHandle_t handle, uint32_t kind, uint32_t size, uint32_t trigger) {
  CHECK(handle != NULL);
  buffer = handle;
  id = tband_freertos_stream_buffer_number(handle);
  level = 0;
  expect("stream_buffer_created stream_buffer_id=%u size=%u trigger_level=%u", id, size, trigger);
  expect_metadata("stream_buffer_kind stream_buffer_id=%u kind=%u", id, kind);
}

static void expect_buffer(const char *event) { expect("%s stream_buffer_id=%u", event, id); }

static void expect_block(const char *event, uint32_t ticks) {
  expect("curtask_block_on_stream_buffer_%s stream_buffer_id=%u ticks_to_wait=%u", event, id, ticks);
}

/* `overhead` is what the kernel puts to the bytes. */
static void expect_sent(const char *event, uint32_t amount, uint32_t overhead) {
  level += amount + overhead;
  expect("%s stream_buffer_id=%u amount=%u level_after=%u", event, id, amount, level);
}

static void expect_received(const char *event, uint32_t amount, uint32_t overhead) {
  level -= amount + overhead;
  expect("%s stream_buffer_id=%u amount=%u level_after=%u", event, id, amount, level);
}

static void delete(void) {
  expect_buffer("stream_buffer_deleted");
  vStreamBufferDelete(buffer);
}

/* --- Stream buffers ------------------------------------------------------------------------------- */

static void stream_reader(void *parameter) {
  (void)parameter;
  expect_block("receive", (uint32_t)portMAX_DELAY);
  CHECK(xStreamBufferReceive(buffer, bytes, sizeof bytes, portMAX_DELAY) == 4);
  expect_received("stream_buffer_receive", 4, 0);
  expect_block("receive", 20);
  CHECK(xStreamBufferReceive(buffer, bytes, sizeof bytes, 20) == 5); /* sent by an interrupt */
  expect_received("stream_buffer_receive", 5, 0);
  expect_block("receive", 2);
  CHECK(xStreamBufferReceive(buffer, bytes, sizeof bytes, 2) == 0);
  expect_buffer("stream_buffer_receive_failed");
  end_task();
}

static void send_five_isr(BaseType_t *woken) {
  expect_sent("stream_buffer_send_from_isr", 5, 0);
  CHECK(xStreamBufferSendFromISR(buffer, bytes, 5, woken) == 5);
}

static void send_too_much_isr(BaseType_t *woken) {
  expect_sent("stream_buffer_send_from_isr", STREAM_SIZE - level, 0);
  CHECK(xStreamBufferSendFromISR(buffer, bytes, sizeof bytes, woken) > 0);
  expect_buffer("stream_buffer_send_from_isr_failed");
  CHECK(xStreamBufferSendFromISR(buffer, bytes, 1, woken) == 0);
}

static void receive_isr(BaseType_t *woken) {
  expect_received("stream_buffer_receive_from_isr", 6, 0);
  CHECK(xStreamBufferReceiveFromISR(buffer, bytes, 6, woken) == 6);
}

static void drain_isr(BaseType_t *woken) {
  const uint32_t all = level;
  expect_received("stream_buffer_receive_from_isr", all, 0);
  CHECK(xStreamBufferReceiveFromISR(buffer, bytes, sizeof bytes, woken) == all);
  expect_buffer("stream_buffer_receive_from_isr_failed");
  CHECK(xStreamBufferReceiveFromISR(buffer, bytes, sizeof bytes, woken) == 0);
}

static void reset_isr(BaseType_t *woken) {
  (void)woken;
  level = 0;
  expect_buffer("stream_buffer_reset_from_isr");
  CHECK(xStreamBufferResetFromISR(buffer) == pdPASS);
}

static void stream_writer(void *parameter) {
  (void)parameter;
  expect_block("send", (uint32_t)portMAX_DELAY);
  CHECK(xStreamBufferSend(buffer, bytes, 5, portMAX_DELAY) == 5);
  expect_sent("stream_buffer_send", 5, 0);
  expect_block("send", 2); /* times out and sends what fits */
  CHECK(xStreamBufferSend(buffer, bytes, 4, 2) == 3);
  expect_sent("stream_buffer_send", 3, 0);
  expect_block("send", 2);
  CHECK(xStreamBufferSend(buffer, bytes, 4, 2) == 0);
  expect_buffer("stream_buffer_send_failed");
  end_task();
}

static void stream(void) {
  created(xStreamBufferCreate(STREAM_SIZE, STREAM_TRIGGER), KIND_STREAM, STREAM_SIZE, STREAM_TRIGGER);
  expect_metadata("stream_buffer_name stream_buffer_id=%u name=\"pipe\"", id);
  tband_freertos_stream_buffer_name(buffer, "pipe");

  expect_buffer("stream_buffer_receive_failed");
  CHECK(xStreamBufferReceive(buffer, bytes, 1, 0) == 0);
  (void)start_task(stream_reader, PRIORITY_HIGH);
  for (uint32_t sent = 0; sent < 4; sent += 2) { /* the first two do not reach the trigger level */
    expect_sent("stream_buffer_send", 2, 0);
    CHECK(xStreamBufferSend(buffer, bytes, 2, 0) == 2);
  }
  interrupt(send_five_isr);
  vTaskDelay(3); /* the time-out */

  expect_sent("stream_buffer_send", 8, 0);
  CHECK(xStreamBufferSend(buffer, bytes, 8, portMAX_DELAY) == 8);
  interrupt(send_too_much_isr);
  expect_buffer("stream_buffer_send_failed");
  CHECK(xStreamBufferSend(buffer, bytes, 1, 0) == 0);
  (void)start_task(stream_writer, PRIORITY_HIGH);
  expect_received("stream_buffer_receive", 2, 0); /* not enough for the writer, which waits on */
  expect_block("send", (uint32_t)portMAX_DELAY);
  CHECK(xStreamBufferReceive(buffer, bytes, 2, 0) == 2);
  interrupt(receive_isr);
  vTaskDelay(6); /* both time-outs */
  CHECK(level == STREAM_SIZE);
  interrupt(drain_isr);

  expect_sent("stream_buffer_send", 3, 0);
  CHECK(xStreamBufferSend(buffer, bytes, 3, 0) == 3);
  level = 0;
  expect_buffer("stream_buffer_reset");
  CHECK(xStreamBufferReset(buffer) == pdPASS);
  expect_sent("stream_buffer_send", 3, 0);
  CHECK(xStreamBufferSend(buffer, bytes, 3, 0) == 3);
  interrupt(reset_isr);
  expect_sent("stream_buffer_send", 1, 0); /* the number outlives a reset */
  CHECK(xStreamBufferSend(buffer, bytes, 1, 0) == 1);
  delete();
}

/* --- Message buffers -------------------------------------------------------------------------------- */

static void message_reader(void *parameter) {
  (void)parameter;
  expect_block("receive", 30);
  CHECK(xMessageBufferReceive(buffer, bytes, sizeof bytes, 30) == 7);
  expect_received("stream_buffer_receive", 7, LENGTH);
  expect_buffer("stream_buffer_reset");
  CHECK(xMessageBufferReset(buffer) == pdPASS);
  expect_block("receive", (uint32_t)portMAX_DELAY);
  CHECK(xMessageBufferReceive(buffer, bytes, sizeof bytes, portMAX_DELAY) == 9);
  expect_received("stream_buffer_receive", 9, LENGTH);
  end_task();
}

static void message_isr(BaseType_t *woken) {
  expect_sent("stream_buffer_send_from_isr", 12, LENGTH);
  CHECK(xMessageBufferSendFromISR(buffer, bytes, 12, woken) == 12);
  expect_buffer("stream_buffer_send_from_isr_failed");
  CHECK(xMessageBufferSendFromISR(buffer, bytes, 30, woken) == 0);
  expect_received("stream_buffer_receive_from_isr", 12, LENGTH);
  CHECK(xMessageBufferReceiveFromISR(buffer, bytes, sizeof bytes, woken) == 12);
}

static void message(void) {
  created(xMessageBufferCreate(MESSAGE_SIZE), KIND_MESSAGE, MESSAGE_SIZE, 1);
  (void)start_task(message_reader, PRIORITY_HIGH);
  CHECK(xMessageBufferReset(buffer) == pdFAIL); /* a task waits: nothing happens, nothing is recorded */
  expect_sent("stream_buffer_send", 7, LENGTH);
  CHECK(xMessageBufferSend(buffer, bytes, 7, 0) == 7);
  expect_sent("stream_buffer_send", 9, LENGTH);
  CHECK(xMessageBufferSend(buffer, bytes, 9, 0) == 9);

  expect_buffer("stream_buffer_send_failed"); /* longer than the buffer: it does not even wait */
  CHECK(xMessageBufferSend(buffer, bytes, MESSAGE_SIZE, portMAX_DELAY) == 0);
  interrupt(message_isr);
  delete();
}

/* --- Batching buffers -------------------------------------------------------------------------------- */

static void batching_reader(void *parameter) {
  (void)parameter;
  expect_block("receive", (uint32_t)portMAX_DELAY);
  CHECK(xStreamBufferReceive(buffer, bytes, sizeof bytes, portMAX_DELAY) == 6);
  expect_received("stream_buffer_receive", 6, 0);
  end_task();
}

static void batching(void) {
  created(xStreamBatchingBufferCreate(BATCHING_SIZE, BATCHING_TRIGGER), KIND_BATCHING, BATCHING_SIZE,
          BATCHING_TRIGGER);
  (void)start_task(batching_reader, PRIORITY_HIGH);
  for (unsigned i = 0; i < 2; i++) {
    expect_sent("stream_buffer_send", 3, 0);
    CHECK(xStreamBufferSend(buffer, bytes, 3, 0) == 3);
  }
  expect_sent("stream_buffer_send", 2, 0);
  CHECK(xStreamBufferSend(buffer, bytes, 2, 0) == 2);
  expect_buffer("stream_buffer_receive_failed"); /* not enough for a batch */
  CHECK(xStreamBufferReceive(buffer, bytes, sizeof bytes, 0) == 0);
  delete();
}

static void creation_fails(void) {
  exhaust_heap();
  expect("create_failed object=%u", (uint32_t)OBJECT_STREAM_BUFFER);
  CHECK(xStreamBufferCreate(STREAM_SIZE, 1) == NULL);
  release_heap();
  expect("create_failed object=%u", (uint32_t)OBJECT_STREAM_BUFFER);
  static StaticStreamBuffer_t memory;
  allow_assertions(1);
  CHECK(xStreamBufferCreateStatic(STREAM_SIZE, 1, NULL, &memory) == NULL);

  static uint8_t storage[STREAM_SIZE + 1];
  created(xStreamBufferCreateStatic(sizeof storage, 1, storage, &memory), KIND_STREAM, STREAM_SIZE, 1);
  delete();
}

/* It lives on, as it was changed: what the metadata buffer has in the end. */
static void left_over(void) {
  created(xStreamBufferCreate(STREAM_SIZE, STREAM_TRIGGER), KIND_STREAM, STREAM_SIZE, STREAM_TRIGGER);
  CHECK(xStreamBufferSetTriggerLevel(buffer, STREAM_SIZE + 2) == pdFALSE);
  CHECK(xStreamBufferSetTriggerLevel(buffer, STREAM_TRIGGER + 1) == pdTRUE);
  expect_metadata("stream_buffer_info stream_buffer_id=%u size=%u trigger_level=%u", id,
                  (uint32_t)STREAM_SIZE, (uint32_t)(STREAM_TRIGGER + 1));
}

void class_stream_buffer(void) {
  stream();
  message();
  batching();
  creation_fails();
  left_over();
}
