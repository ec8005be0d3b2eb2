/* Sends packets through a socket: UDP, one packet a datagram, or TCP. For lwIP's sockets (also of ESP-IDF and of
 * Zephyr), for POSIX, and with tband_sendFREERTOS_TCP 1 for FreeRTOS+TCP. Nothing waits: a network that is slow or gone
 * costs events, which are counted.
 *
 * Include it in the one C file that sends, after the stack's header, and let a task of low priority send:
 *
 *   #include "lwip/sockets.h"            or <sys/socket.h>; FreeRTOS+TCP: "FreeRTOS_IP.h" and "FreeRTOS_Sockets.h"
 *   #include "senders/tband_send_socket.h"
 *
 *   for (;;) {
 *     int s = socket(AF_INET, SOCK_DGRAM, 0);                   SOCK_STREAM for TCP
 *     if (connect(s, (struct sockaddr *)&computer, sizeof computer) == 0) {
 *       tband_send_socket_begin();
 *       while (tband_send_socket(s)) {
 *         vTaskDelay(pdMS_TO_TICKS(5));
 *       }
 *     }
 *     close(s);
 *     vTaskDelay(pdMS_TO_TICKS(1000));
 *   }
 *
 * With FreeRTOS+TCP the socket is a Socket_t, and UDP has no connect(): there is tband_send_datagrams(socket,
 * &address). A datagram that is not to be split has 1472 bytes at most: tband_configPACKET_SIZE 1024. Stacks allocate
 * memory for what they send. If the network's tasks are recorded, the sending is recorded too. */
#ifndef TBAND_SEND_SOCKET_H
#define TBAND_SEND_SOCKET_H

#include "tband_send.h"

/* 1: use the sockets of FreeRTOS+TCP. */
#ifndef tband_sendFREERTOS_TCP
#define tband_sendFREERTOS_TCP 0
#endif

/** Call it for each new connection, which then begins with a complete packet and contains the names. Context: the one
 * that sends. */
static inline void tband_send_socket_begin(void) { tband_send_begin(); }

#if tband_sendFREERTOS_TCP
typedef Socket_t tband_socket;

/* Returns how many bytes were taken; 0: none now; below 0: the connection is broken. */
static inline int32_t tband_send_socket_try(tband_socket to, const uint8_t *data, size_t len) {
  const BaseType_t taken = FreeRTOS_send(to, data, len, FREERTOS_MSG_DONTWAIT);
  const bool is_full = (taken == -pdFREERTOS_ERRNO_EWOULDBLOCK) || (taken == -pdFREERTOS_ERRNO_ENOSPC);
  return is_full ? 0 : (int32_t)taken;
}

/** Sends over UDP what there is, a packet a datagram, as far as the stack has memory. Context: as of
 * tband_send_socket(). */
static inline void tband_send_datagrams(tband_socket from, const struct freertos_sockaddr *address) {
  size_t len;
  const uint8_t *packet;
  while (((packet = tband_packet_take(&len)) != NULL) &&
         (FreeRTOS_sendto(from, packet, len, FREERTOS_MSG_DONTWAIT, address, sizeof *address) == (int32_t)len)) {
    tband_packet_done();
  }
}
#else
/* lwIP may define a second errno variable next to that of the C library, as ST ships it. Then the library's header
 * would hide lwIP's, and a full buffer would look like a broken connection. */
#if defined(LWIP_PROVIDE_ERRNO) && defined(__GNUC__)
extern int tband_send_lwip_errno __asm__("errno");
#define TBAND_SEND_ERRNO tband_send_lwip_errno
#include "lwip/errno.h"
#else
#include <errno.h>
#define TBAND_SEND_ERRNO errno
#endif
typedef int tband_socket;

#ifdef MSG_NOSIGNAL
#define TBAND_SEND_FLAGS (MSG_DONTWAIT | MSG_NOSIGNAL)
#else
#define TBAND_SEND_FLAGS MSG_DONTWAIT
#endif

static inline int32_t tband_send_socket_try(tband_socket to, const uint8_t *data, size_t len) {
  const int32_t taken = (int32_t)send(to, data, len, TBAND_SEND_FLAGS);
  const int why = (taken < 0) ? TBAND_SEND_ERRNO : 0;
  /* ENOBUFS, ENOMEM: the stack has no memory now. */
  const bool is_full = (why == EAGAIN) || (why == EWOULDBLOCK) || (why == EINTR) || (why == ENOBUFS) || (why == ENOMEM);
  return is_full ? 0 : taken;
}
#endif

/** Sends the packets that are ready, as far as the stack takes them. Returns false if the connection is broken; open
 * another. The interrupted packet is then sent again. Context: one task, or the main loop, with no other consumer. */
static inline bool tband_send_socket(tband_socket to) {
  size_t len;
  const uint8_t *rest;
  while ((len = tband_send_rest(&rest)) != 0U) {
    const int32_t taken = tband_send_socket_try(to, rest, len);
    if (taken <= 0) {
      return taken == 0;
    }
    (void)tband_send_took((size_t)taken);
  }
  return true;
}

#endif /* TBAND_SEND_SOCKET_H */
