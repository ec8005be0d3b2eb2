/* The part of a C program that is in Rust, tests/rust_part, and what that wants of the program. */
#ifndef RUST_PART_H
#define RUST_PART_H

#include "check.h"
#include "fake_port.h"

/* 0, or the line in rust_part/src/lib.rs of the check that failed. */
uint32_t rust_part_streaming(void);
uint32_t rust_part_filters(void);
uint32_t rust_part_triggers(void);
uint32_t rust_part_snapshot(void);
uint32_t rust_part_packets(void);
uint32_t rust_part_post_mortem(void);
uint32_t rust_part_external(void);
bool rust_part_is_queue(const void *handle);

/* In place of freertos-hooks/tband_freertos.c: task 7 runs, and there is one queue. */
uint32_t tband_freertos_current_task_number(void);
uint32_t tband_freertos_current_task_number(void) { return 7; }

uint32_t tband_freertos_queue_number(void *handle);
uint32_t tband_freertos_queue_number(void *handle) {
  CHECK(handle == NULL || rust_part_is_queue(handle));
  return handle == NULL ? 0 : 23;
}

#endif
