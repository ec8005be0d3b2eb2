/* An ITM whose FIFO is full at times and which a debugger turns off and on. It converts the written words into the
 * bytes at the pin, between packets of other ports, of the hardware and of times. */
#include "sender.h"

static uint32_t registers[1024];
static uint8_t pin[1 << 22];
static size_t count;

static void put(uint8_t byte) {
  pin[count] = byte;
  count++;
}

static void stimulus(uint32_t port, uint32_t value, uint32_t size) {
  put((uint8_t)((port << 3) | ((size == 4U) ? 3U : size)));
  for (uint32_t at = 0; at < size; at++) {
    put((uint8_t)(value >> (8U * at)));
  }
}

/* What others send. */
static void others(void) {
  switch (any(12)) {
    case 0:
      stimulus(0, any(256), 1);
      break;
    case 1:
      stimulus(31, any(65536), 2);
      break;
    case 2: /* of the hardware: an exception, with the bit of hardware packets */
      put(0x0E);
      put((uint8_t)any(256));
      put((uint8_t)(0x10U + any(2)));
      break;
    case 3: /* a program counter */
      put(0x17);
      for (uint32_t at = 0; at < 4U; at++) {
        put((uint8_t)any(256));
      }
      break;
    case 4: /* times */
      put(0xC0);
      put((uint8_t)(0x80U + any(128)));
      put((uint8_t)any(128));
      put((uint8_t)(0x10U * (1U + any(6))));
      break;
    case 5: /* a global time */
      put(0x94);
      put((uint8_t)(0x80U + any(128)));
      put((uint8_t)any(128));
      break;
    case 6: /* what synchronizes */
      for (uint32_t at = 0; at < 5U; at++) {
        put(0);
      }
      put(0x80);
      break;
    default:
      break;
  }
}

#define TEST_IS_READY() (any(5) != 0U)
#define tband_sendITM_PORT 3
#define tband_sendITM_ADDRESS ((uintptr_t)registers)
#define tband_sendITM_IS_READY() TEST_IS_READY()
static void test_put(uint32_t value, uint32_t size) {
  others();
  stimulus(tband_sendITM_PORT, value, size);
}
#define tband_sendITM_PUT8(value) test_put((value), 1)
#define tband_sendITM_PUT32(value) test_put((value), 4)
#include "senders/tband_send_itm.h"

int main(void) {
  start();
  record(100);
  tband_flush();
  CHECK(!tband_send_itm()); /* it is off */
  TBAND_ITM_TCR = 1;
  CHECK(!tband_send_itm()); /* the port is */
  CHECK(count == 0U);
  for (uint32_t turn = 0; turn < 3000U; turn++) {
    TBAND_ITM_TER = (turn % 100U < 40U) ? ~(1U << 3) : 1U << 3;
    record(any(60));
    if (any(3) == 0U) {
      tick();
    }
    for (uint32_t idle = any(60); idle > 0U; idle--) {
      (void)tband_send_itm();
    }
  }
  CHECK_EQ(tband_stop_streaming(), 0);
  TBAND_ITM_TER = 1U << 3;
  size_t len;
  while (tband_packet_take(&len) != NULL) {
    (void)tband_send_itm();
  }
  fake_print(pin, count);
  sender_ends();
  return 0;
}
