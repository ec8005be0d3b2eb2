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
bool rust_part_is_object(const void *handle);

/* In place of freertos-hooks/tband_freertos.c: task 7 runs, and there is one object of each kind. */
uint32_t tband_freertos_current_task_number(void);
uint32_t tband_freertos_current_task_number(void) { return 7; }

#define NUMBER(function, number)                               \
  uint32_t function(void *handle);                             \
  uint32_t function(void *handle) {                            \
    CHECK((handle == NULL) || rust_part_is_object(handle));    \
    return (handle == NULL) ? 0U : (number);                   \
  }
NUMBER(tband_freertos_queue_number, 23U)
NUMBER(tband_freertos_stream_buffer_number, 24U)
NUMBER(tband_freertos_event_group_number, 25U)
NUMBER(tband_freertos_timer_number, 26U)

#endif
