/* Sends to a port of this machine, over "udp" or "tcp", a line that breaks `breaks` times: arguments kind, port,
 * breaks. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sender.h"
#include "senders/tband_send_socket.h"

static int connected(int kind, uint16_t port) {
  const int to = socket(AF_INET, kind, 0);
  CHECK(to >= 0);
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  /* Small, so that it is full at times. */
  const int size = 2048;
  CHECK(setsockopt(to, SOL_SOCKET, SO_SNDBUF, &size, sizeof size) == 0);
  while (connect(to, (const struct sockaddr *)&address, sizeof address) != 0) {
    usleep(1000);
  }
  return to;
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 4);
  const int kind = (strcmp(argv[1], "udp") == 0) ? SOCK_DGRAM : SOCK_STREAM;
  const uint16_t port = (uint16_t)atoi(argv[2]);
  uint32_t breaks = (uint32_t)atoi(argv[3]);
  int to = connected(kind, port);
  start();
  tband_send_socket_begin();
  /* Of datagrams as many as the system keeps for who does not fetch them yet: it drops others. */
  const uint32_t turns = (kind == SOCK_DGRAM) ? 300U : 3000U;
  for (uint32_t turn = 0; turn < turns; turn++) {
    record(any(40));
    tick();
    bool is_broken = (any(3) == 0U) && !tband_send_socket(to);
    /* The test has time to break the connection. */
    while (!is_broken && (breaks > 0U) && (turn % 1000U == 999U)) {
      record(1);
      tick();
      usleep(100);
      is_broken = !tband_send_socket(to);
    }
    if (is_broken) {
      CHECK(breaks > 0U); /* the other side has closed it */
      breaks--;
      CHECK(close(to) == 0);
      to = connected(kind, port);
      tband_send_socket_begin();
    }
    if (turn % 3U == 0U) {
      usleep(100);
    }
  }
  CHECK_EQ(tband_stop_streaming(), 0);
  size_t len;
  while (tband_packet_take(&len) != NULL) {
    CHECK(tband_send_socket(to));
    usleep(100);
  }
  CHECK(close(to) == 0);
  sender_ends();
  return 0;
}
