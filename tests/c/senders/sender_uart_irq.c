/* A UART with a FIFO of four bytes, whose line has pauses. */
#include "sender.h"

static uint8_t sent[1 << 22];
static size_t count;
static uint32_t in_fifo;
static bool is_on;

static void put(uint8_t byte) {
  CHECK(in_fifo < 4U); /* it would be lost */
  sent[count] = byte;
  count++;
  in_fifo++;
}

#define tband_sendUART_IS_FREE() (in_fifo < 4U)
#define tband_sendUART_PUT(byte) put(byte)
#define tband_sendUART_IRQ_ON() (is_on = true)
#define tband_sendUART_IRQ_OFF() (is_on = false)
#define tband_sendUART_BURST 3
#include "senders/tband_send_uart_irq.h"

/* Time for so many bytes goes by on the line. */
static void line(uint32_t bytes) {
  while (bytes > 0U) {
    if (is_on) {
      tband_send_uart_handler();
    }
    const uint32_t now = 1U + any(4);
    in_fifo -= (now < in_fifo) ? now : in_fifo;
    bytes -= (now < bytes) ? now : bytes;
  }
}

int main(void) {
  tband_send_uart_kick(); /* before there is anything */
  line(10);
  CHECK(!is_on && tband_send_uart_is_idle() && count == 0U);
  start();
  for (uint32_t turn = 0; turn < 3000U; turn++) {
    record(any(60));
    if (any(3) == 0U) {
      tick();
      tband_send_uart_kick();
    }
    line(any(turn % 500U < 100U ? 20U : 400U)); /* slow at times */
  }
  CHECK_EQ(tband_stop_streaming(), 0);
  tband_send_uart_kick();
  CHECK(!tband_send_uart_is_idle());
  while (!tband_send_uart_is_idle()) {
    line(1);
  }
  CHECK(!is_on);
  fake_print(sent, count);
  sender_ends();
  return 0;
}
