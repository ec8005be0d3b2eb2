/* The make-believe kernel and the user's own functions that the port beside this file calls. */
#include "check.h"
#include "tband_port.h"

int kernel_in_interrupt;
int kernel_task_sections;
int kernel_interrupt_sections;
volatile bool snapshot_full;

static int inside;

BaseType_t xPortIsInsideInterrupt(void) { return kernel_in_interrupt; }

void vKernelEnter(void) {
  CHECK_EQ(kernel_in_interrupt, 0);
  CHECK_EQ(inside++, 0);
  kernel_task_sections++;
}

void vKernelExit(void) { CHECK_EQ(--inside, 0); }

UBaseType_t ulKernelEnterFromISR(void) {
  CHECK_EQ(kernel_in_interrupt, 1);
  CHECK_EQ(inside++, 0);
  kernel_interrupt_sections++;
  return 0x5A;
}

void vKernelExitFromISR(UBaseType_t key) {
  CHECK_EQ(key, 0x5A);
  CHECK_EQ(--inside, 0);
}

uint64_t platform_ts(void) { return 77; }

static uint8_t stream[1000];
static size_t stream_len;

bool stream_data(const uint8_t *buf, size_t buf_len) {
  CHECK_EQ(inside, 1);
  CHECK(buf_len <= sizeof(stream) - stream_len);
  memcpy(&stream[stream_len], buf, buf_len);
  stream_len += buf_len;
  return false;
}

void stream_print(void) { CHECK_EQ(fwrite(stream, 1, stream_len, stdout), stream_len); }
