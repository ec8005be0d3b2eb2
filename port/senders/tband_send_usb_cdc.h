/* Sends packets over USB as a serial port (CDC), with TinyUSB, which the Pico SDK and ESP-IDF have too. Nothing waits: a
 * computer that does not read costs events, which are counted.
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
 * Of several interfaces tband_sendCDC_INTERFACE is the one. Do not print to it: pico_enable_stdio_usb(firmware 0). */
#ifndef TBAND_SEND_USB_CDC_H
#define TBAND_SEND_USB_CDC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tband.h"

#if (tband_configENABLE != 0) && !TBAND_USES_PACKETS
#error "tband: this sender takes packets: #define tband_configFORMAT TBAND_FORMAT_PACKETS in tband_config.h"
#endif

/* The interface, from 0. */
#ifndef tband_sendCDC_INTERFACE
#define tband_sendCDC_INTERFACE 0
#endif

static struct {
  size_t sent; /* bytes of the packet that is being sent */
  bool is_connected;
} tband_send_cdc;

/** Sends what there is, as far as the interface takes it. Whoever opens the port gets whole packets from the first on, and the
 * names. Context: the one that calls tud_task(), where nothing else takes packets. Cost: tband_packet_take(), and a copy. */
static inline void tband_send_usb_cdc(void) {
  if (!tud_cdc_n_connected(tband_sendCDC_INTERFACE)) {
    tband_send_cdc.is_connected = false;
    return;
  }
  if (!tband_send_cdc.is_connected) {
    tband_send_cdc.is_connected = true;
    tband_send_cdc.sent = 0;
    (void)tud_cdc_n_write_clear(tband_sendCDC_INTERFACE); /* what the last one has not read */
    tband_request_metadata();
  }
  size_t len;
  const uint8_t *packet;
  while ((packet = tband_packet_take(&len)) != NULL) {
    const size_t left = len - tband_send_cdc.sent;
    const size_t room = tud_cdc_n_write_available(tband_sendCDC_INTERFACE);
    tband_send_cdc.sent += tud_cdc_n_write(tband_sendCDC_INTERFACE, &packet[tband_send_cdc.sent],
                                           (uint32_t)((left < room) ? left : room));
    if (tband_send_cdc.sent < len) {
      break;
    }
    tband_send_cdc.sent = 0;
    tband_packet_done();
  }
  (void)tud_cdc_n_write_flush(tband_sendCDC_INTERFACE); /* less than a USB packet goes out too */
}

#endif /* TBAND_SEND_USB_CDC_H */
