/* FreeRTOS+TCP's types and functions that the sender uses. */
#include <stddef.h>
#include <stdint.h>
typedef long BaseType_t;
typedef struct xSOCKET *Socket_t;
struct freertos_sockaddr {
  uint16_t sin_port;
};
#define FREERTOS_MSG_DONTWAIT 16
#define pdFREERTOS_ERRNO_EWOULDBLOCK 11
#define pdFREERTOS_ERRNO_ENOSPC 28
BaseType_t FreeRTOS_send(Socket_t to, const void *data, size_t len, BaseType_t flags);
int32_t FreeRTOS_sendto(Socket_t from, const void *data, size_t len, BaseType_t flags,
                        const struct freertos_sockaddr *address, size_t address_len);
