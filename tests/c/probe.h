/* A debug probe, as far as RTT goes: it finds the control block in memory, and reads the buffer "tband" as J-Link,
 * OpenOCD and probe-rs do. */
#ifndef PROBE_H
#define PROBE_H

#include <stdint.h>
#include <string.h>

#include "check.h"
#include "fake_port.h"

/* The layout that probes know. */
struct probe_buffer {
  const char *name;
  uint8_t *memory;
  uint32_t size;
  volatile uint32_t write;
  volatile uint32_t read;
  uint32_t flags;
};
struct probe_block {
  char id[16];
  int32_t up_count;
  int32_t down_count;
  struct probe_buffer buffers[2];
};
extern struct tband_rtt_block tband_configRTT_SYMBOL;

static inline struct probe_block *probe_block(void) {
  return (struct probe_block *)(void *)&tband_configRTT_SYMBOL;
}

/* Whether a probe that searches finds the block. */
static inline bool probe_finds(void) {
  return memcmp(probe_block()->id, "SEGGER RTT\0\0\0\0\0", 16) == 0;
}

/* Reads at most so many bytes, in one piece, and prints them. How many there were. */
static inline uint32_t probe_read(uint32_t most) {
  struct probe_buffer *const up = &probe_block()->buffers[0];
  CHECK(probe_finds());
  CHECK_EQ(probe_block()->up_count, 1);
  CHECK_EQ(probe_block()->down_count, 1);
  CHECK(strcmp(up->name, "tband") == 0);
  CHECK(up->write < up->size);
  const uint32_t read = up->read;
  const uint32_t end = (up->write < read) ? up->size : up->write;
  const uint32_t len = (end - read < most) ? end - read : most;
  fake_print(&up->memory[read], len);
  up->read = (read + len == up->size) ? 0U : read + len;
  return len;
}

#endif
