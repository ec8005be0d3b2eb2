/* Sends packets over USB as a serial port (CDC), with TinyUSB, which the Pico SDK and ESP-IDF have too. Nothing waits:
 * a computer that does not read costs events, which are counted.
 *
 * Include it in the one C file that sends, and call it where you call tud_task(), after it:
 *
 *   #include "tusb.h"
 *   #include "senders/tband_send_usb_cdc.h"
 *
 *   for (;;) {
 *     tud_task();
 *     tband_send_usb_cdc();
 *   }
 *
 * With several interfaces, tband_sendCDC_INTERFACE selects one. Do not print to it: pico_enable_stdio_usb(firmware
 * 0). */
#ifndef TBAND_SEND_USB_CDC_H
#define TBAND_SEND_USB_CDC_H

#include "tband_send.h"

/* The interface, from 0. */
#ifndef tband_sendCDC_INTERFACE
#define tband_sendCDC_INTERFACE 0
#endif

static bool tband_send_cdc_is_connected;

/** Sends the packets that are ready, as far as the interface takes them. A program that opens the port gets complete
 * packets from the first one on, and the names. Context: the one that calls tud_task(), with no other consumer. Cost:
 * tband_packet_take(), and a copy. */
static inline void tband_send_usb_cdc(void) {
  if (!tud_cdc_n_connected(tband_sendCDC_INTERFACE)) {
    tband_send_cdc_is_connected = false;
    return;
  }
  if (!tband_send_cdc_is_connected) {
    tband_send_cdc_is_connected = true;
    (void)tud_cdc_n_write_clear(tband_sendCDC_INTERFACE); /* bytes that the previous reader has not read */
    tband_send_begin();
  }
  size_t len;
  const uint8_t *rest;
  while ((len = tband_send_rest(&rest)) != 0U) {
    const size_t room = tud_cdc_n_write_available(tband_sendCDC_INTERFACE);
    const uint32_t most = (uint32_t)((len < room) ? len : room);
    if (!tband_send_took(tud_cdc_n_write(tband_sendCDC_INTERFACE, rest, most))) {
      break;
    }
  }
  (void)tud_cdc_n_write_flush(tband_sendCDC_INTERFACE); /* sends less than a full USB packet, too */
}

#endif /* TBAND_SEND_USB_CDC_H */
