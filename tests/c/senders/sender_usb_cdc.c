/* TinyUSB's interface, as far as the sender uses it, with a computer that reads slowly, and closes and opens the
 * port. */
#include "sender.h"

static uint8_t received[1 << 22];
static size_t count;
static uint8_t fifo[64];
static uint32_t in_fifo;
static uint32_t flushed; /* of these may be read */
static bool is_open;

static bool tud_cdc_n_connected(uint8_t itf) {
  CHECK_EQ(itf, 0);
  return is_open;
}

static uint32_t tud_cdc_n_write_available(uint8_t itf) {
  CHECK_EQ(itf, 0);
  return (uint32_t)sizeof fifo - in_fifo;
}

static uint32_t tud_cdc_n_write(uint8_t itf, const void *data, uint32_t len) {
  CHECK_EQ(itf, 0);
  CHECK(len <= sizeof fifo - in_fifo);
  memcpy(&fifo[in_fifo], data, len);
  in_fifo += len;
  return len;
}

static uint32_t tud_cdc_n_write_flush(uint8_t itf) {
  CHECK_EQ(itf, 0);
  flushed = in_fifo;
  return in_fifo;
}

static bool tud_cdc_n_write_clear(uint8_t itf) {
  CHECK_EQ(itf, 0);
  in_fifo = 0;
  flushed = 0;
  return true;
}

#include "senders/tband_send_usb_cdc.h"

static void computer_reads(void) {
  const uint32_t len = any(flushed + 1U);
  memcpy(&received[count], fifo, len);
  count += len;
  memmove(fifo, &fifo[len], in_fifo - len);
  in_fifo -= len;
  flushed -= len;
}

static size_t of_whole_packets(void) {
  size_t at = 0;
  while (at + 12U <= count) {
    const size_t len = ((size_t)received[at + 10U] | ((size_t)received[at + 11U] << 8)) / 8U; /* in bits */
    if (at + len > count) {
      break;
    }
    at += len;
  }
  return at;
}

int main(void) {
  start();
  for (uint32_t turn = 0; turn < 3000U; turn++) {
    record(any(5));
    if (any(3) == 0U) {
      tick();
    }
    for (uint32_t loop = 0; loop < 8U; loop++) {
      tband_send_usb_cdc();
      if (is_open) {
        computer_reads();
      }
    }
    if (turn % 500U == 0U) {
      is_open = !is_open;
      tband_send_usb_cdc();
      count = of_whole_packets(); /* like `record`, which drops a part of a packet when the port is closed */
    }
  }
  CHECK_EQ(tband_stop_streaming(), 0);
  is_open = true;
  size_t len;
  while (tband_packet_take(&len) != NULL || in_fifo > 0U) {
    tband_send_usb_cdc();
    computer_reads();
  }
  fake_print(received, count);
  sender_ends();
  return 0;
}
