/* A packet is closed once it is older than tband_configPACKET_MAX_AGE_MS, however slow the timer is: a tick of it
 * counts for a millisecond then. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

int main(void) {
  size_t len;
  fake_now = 1;
  CHECK_EQ(tband_start_streaming(), 0);
  /* As many packets of metadata as it takes. */
  const uint8_t *metadata = tband_packet_take(&len);
  CHECK(metadata != NULL);
  do {
    CHECK(metadata[4] == 255U);
    tband_packet_done();
    metadata = tband_packet_take(&len);
  } while (metadata != NULL);
  tband_valmarker(1, 1);
  fake_now += tband_configPACKET_MAX_AGE_MS;
  tband_keep_time();
  CHECK(tband_packet_take(&len) == NULL);
  fake_now += 1;
  tband_keep_time();
  CHECK(tband_packet_take(&len) != NULL);
  return 0;
}
