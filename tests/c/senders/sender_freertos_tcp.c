/* FreeRTOS+TCP's interface, as far as the sender uses it, with a stack that is full at times, and breaks. */
#include "sender.h"

typedef long BaseType_t;
typedef void *Socket_t;
struct freertos_sockaddr {
  uint16_t sin_port;
};
#define FREERTOS_MSG_DONTWAIT 16
#define pdFREERTOS_ERRNO_EWOULDBLOCK 11
#define pdFREERTOS_ERRNO_ENOSPC 28
#define pdFREERTOS_ERRNO_ENOTCONN 128

static uint8_t sent[1 << 22];
static size_t count;
static bool is_busy; /* for a while */
static size_t begun; /* what the connection has taken of a packet that is not whole */

static BaseType_t FreeRTOS_send(Socket_t to, const void *data, size_t len, BaseType_t flags) {
  CHECK(to == &count && flags == FREERTOS_MSG_DONTWAIT && len > 0U);
  const uint32_t what = any(10);
  if (what == 0U || is_busy) {
    return -pdFREERTOS_ERRNO_ENOSPC;
  }
  if (what == 1U) {
    return 0;
  }
  if (what == 2U && any(20) == 0U) {
    count -= begun; /* the incomplete packet is lost */
    begun = 0;
    return -pdFREERTOS_ERRNO_ENOTCONN;
  }
  const size_t taken = 1U + any((uint32_t)len);
  memcpy(&sent[count], data, taken);
  count += taken;
  begun = (taken == len) ? 0U : begun + taken;
  return (BaseType_t)taken;
}

static int32_t FreeRTOS_sendto(Socket_t from, const void *data, size_t len, BaseType_t flags,
                               const struct freertos_sockaddr *address, size_t address_len) {
  CHECK(from == &count && flags == FREERTOS_MSG_DONTWAIT && address_len == sizeof *address);
  CHECK_EQ(address->sin_port, 5000);
  if (any(4) == 0U || is_busy) {
    return 0;
  }
  memcpy(&sent[count], data, len);
  count += len;
  return (int32_t)len;
}

#define tband_sendFREERTOS_TCP 1
#include "senders/tband_send_socket.h"

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  const bool is_udp = strcmp(argv[1], "udp") == 0;
  const struct freertos_sockaddr address = {5000};
  uint32_t breaks = 0;
  start();
  size_t len;
  for (uint32_t turn = 0; turn <= 3000U || tband_packet_take(&len) != NULL; turn++) {
    if (turn < 3000U) {
      record(any(40));
      tick();
    } else if (turn == 3000U) {
      CHECK_EQ(tband_stop_streaming(), 0);
    }
    is_busy = turn % 100U < 50U;
    if (is_udp) {
      tband_send_datagrams(&count, &address);
    } else if (!tband_send_socket(&count)) {
      breaks++;
      tband_send_socket_begin();
    }
  }
  CHECK(is_udp || breaks > 0U);
  fake_print(sent, count);
  sender_ends();
  return 0;
}
