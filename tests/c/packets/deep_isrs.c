/* As many open interrupts at the begin of a packet as leave room for the longest event, whatever their numbers take:
 * the event is written there, and opens no further packet. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

enum { DEPTH = 6, LENGTHS = 5 };

/* Numbers of 1 to 5 bytes. */
static uint32_t isr(unsigned depth, unsigned len) { return depth + (1U << (7U * len)); }

int main(void) {
  static const char text[] = "more than any string here may have";
  unsigned combinations = 1;
  for (unsigned depth = 0; depth < DEPTH; depth++) {
    combinations *= LENGTHS;
  }
  fake_step = 1;
  for (unsigned which = 0; which < combinations; which++) {
    unsigned left = which;
    size_t len;
    size_t names = 0;
    CHECK_EQ(tband_start_streaming(), 0);
    for (unsigned depth = 0; depth < DEPTH; depth++) {
      tband_isr_enter(isr(depth, left % LENGTHS));
      left /= LENGTHS;
    }
    tband_flush();
    tband_evtmarker_name(200, text);
    CHECK_EQ(tband_stop_streaming(), 0);
    CHECK_EQ(tband_get_dropped_evt_cnt(), 0);
    while (true) {
      const uint8_t *const packet = tband_packet_take(&len);
      if (packet == NULL) {
        break;
      }
      const uint8_t *const end = &packet[len - 1U];
      const bool is_name = memcmp(end - tband_configMAX_STR_LEN, text, tband_configMAX_STR_LEN) == 0;
      names += (is_name && (packet[4] == 0U)) ? 1U : 0U;
      tband_packet_done();
    }
    CHECK_EQ(names, 1);
  }
  return 0;
}
