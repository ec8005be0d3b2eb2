/* Sends packets over SWO, the trace pin of Cortex-M3, M4, M7 and M33, which ST-Link, J-Link and CMSIS-DAP probes read:
 * through a stimulus port of the ITM. Nothing waits: a pin that is too slow costs events, which are counted. Without a
 * debugger that has turned the ITM on nothing is sent.
 *
 * Include it in the one C file that sends:
 *
 *   #define tband_sendITM_PORT 1         if you like; 0 is where printf goes in most projects
 *   #include "senders/tband_send_itm.h"
 *
 *   void vApplicationIdleHook(void) { while (tband_send_itm()) {} }
 *
 * The debugger turns it on, with OpenOCD: tpiu config internal :3443 uart off 168000000 2000000, itm port 1 on. Then
 * tband-cli record itm:1:tcp:localhost:3443. */
#ifndef TBAND_SEND_ITM_H
#define TBAND_SEND_ITM_H

#include "tband_send.h"

/* The stimulus port, 0 to 31. */
#ifndef tband_sendITM_PORT
#define tband_sendITM_PORT 1
#endif

/* The ITM's registers: Armv7-M Architecture Reference Manual, C1.7. The address is for tests. */
#ifndef tband_sendITM_ADDRESS
#define tband_sendITM_ADDRESS 0xE0000000UL
#endif
#define TBAND_ITM_STIM ((tband_sendITM_ADDRESS) + 4U * (tband_sendITM_PORT))
#define TBAND_ITM_TER (*(volatile uint32_t *)((tband_sendITM_ADDRESS) + 0xE00U))
#define TBAND_ITM_TCR (*(volatile uint32_t *)((tband_sendITM_ADDRESS) + 0xE80U))

/* True if the port accepts a write now. The ITM discards a write when it does not. */
#ifndef tband_sendITM_IS_READY
#define tband_sendITM_IS_READY() ((*(volatile uint32_t *)TBAND_ITM_STIM & 1U) != 0U)
#endif
/* A write of 8 or 32 bits. */
#ifndef tband_sendITM_PUT32
#define tband_sendITM_PUT8(value) (*(volatile uint8_t *)TBAND_ITM_STIM = (value))
#define tband_sendITM_PUT32(value) (*(volatile uint32_t *)TBAND_ITM_STIM = (value))
#endif

/** Sends the rest of a packet, as far as the ITM takes it. Returns true if the packet is complete, and there may be
 * another. Context: the idle hook, the main loop, or one task, with no other consumer and no other writer to the port.
 * Cost: tband_packet_take(), and about 20 cycles for 4 bytes. */
static inline bool tband_send_itm(void) {
  const uint8_t *rest;
  const size_t len = tband_send_rest(&rest);
  const bool is_on =
      ((TBAND_ITM_TCR & 1U) != 0U) && ((TBAND_ITM_TER & (1UL << (tband_sendITM_PORT))) != 0U);
  if ((len == 0U) || !is_on) {
    return false;
  }
  size_t at = 0;
  while ((at < len) && tband_sendITM_IS_READY()) {
    if (len - at >= 4U) {
      const uint8_t *const next = &rest[at]; /* a little-endian word: the first byte is sent first */
      tband_sendITM_PUT32((uint32_t)next[0] | ((uint32_t)next[1] << 8) | ((uint32_t)next[2] << 16) |
                          ((uint32_t)next[3] << 24));
      at += 4U;
    } else {
      tband_sendITM_PUT8(rest[at]);
      at++;
    }
  }
  return tband_send_took(at);
}

#endif /* TBAND_SEND_ITM_H */
