/* What the programs of senders have in common: values that are recorded, and chance. */
#ifndef SENDER_H
#define SENDER_H

#include "check.h"
#include "fake_port.h"
#include "tband.h"

static uint32_t sender_recorded;

/* Some number below `below`, always the same ones. */
static inline uint32_t any(uint32_t below) {
  static uint32_t state = 1;
  state = (state * 1664525U) + 1013904223U;
  return (state >> 8) % below;
}

static inline void record(uint32_t count) {
  for (uint32_t at = 0; at < count; at++) {
    fake_now += 10;
    tband_valmarker(1, sender_recorded);
    sender_recorded++;
  }
}

static inline void tick(void) {
  fake_now += 1000;
  tband_keep_time();
}

#if tband_configUSE_BACKEND_STREAMING
static inline void start(void) {
  tband_valmarker_name(1, "sample");
  CHECK_EQ(tband_start_streaming(), 0);
}
#endif

/* Prints how many values there should be, after all that was sent. */
static inline void sender_ends(void) {
  size_t len;
  CHECK(tband_packet_take(&len) == NULL);
  fake_print((const uint8_t *)&sender_recorded, sizeof sender_recorded);
}

#endif
