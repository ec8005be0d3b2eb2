/* Common part of senders that send parts of a packet: it stores how much of the packet has been sent. The others
 * include it. */
#ifndef TBAND_SEND_H
#define TBAND_SEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tband.h"

#if (tband_configENABLE != 0) && !TBAND_USES_PACKETS
#error "tband: senders take packets: #define tband_configFORMAT TBAND_FORMAT_PACKETS in tband_config.h"
#endif

/* A packet's checksum distinguishes two packets that occupy the same slot one after the other. */
#define TBAND_SEND_CHECK_AT 12
#define TBAND_SEND_CHECK_LEN 4

static struct {
  const uint8_t *packet;
  uint8_t check[TBAND_SEND_CHECK_LEN];
  size_t len;
  size_t sent; /* bytes of it that were sent, less than `len` */
} tband_send;

/** Points `rest` to the next bytes to send, which are contiguous: the rest of a packet. Returns their length, 0 if
 * there are none. A partly sent packet that a new recording has discarded in between is abandoned. Context: the one
 * that takes packets. Cost: tband_packet_take(). */
static inline size_t tband_send_rest(const uint8_t **rest) {
  size_t len;
  const uint8_t *const packet = tband_packet_take(&len);
  if (packet == NULL) {
    tband_send.packet = NULL;
    return 0;
  }
  const uint8_t *const check = &packet[TBAND_SEND_CHECK_AT];
  if ((packet != tband_send.packet) || (len != tband_send.len) ||
      (memcmp(check, tband_send.check, TBAND_SEND_CHECK_LEN) != 0)) {
    tband_send.packet = packet;
    memcpy(tband_send.check, check, TBAND_SEND_CHECK_LEN);
    tband_send.len = len;
    tband_send.sent = 0;
  }
  *rest = &packet[tband_send.sent];
  return len - tband_send.sent;
}

/** Marks `bytes` of the bytes that tband_send_rest() returned as sent. Returns whether that was all of them. Context:
 * the same as tband_send_rest(), and directly after it. */
static inline bool tband_send_took(size_t bytes) {
  tband_send.sent += bytes;
  const bool is_whole = tband_send.sent == tband_send.len;
  if (is_whole) {
    tband_send.packet = NULL;
    tband_packet_done();
  }
  return is_whole;
}

/** Begins another connection or file: with a complete packet, and soon with the names. Context: the same as
 * tband_send_rest(). */
static inline void tband_send_begin(void) {
  tband_send.packet = NULL;
  tband_request_metadata();
}

#endif /* TBAND_SEND_H */
