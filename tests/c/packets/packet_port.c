/* A port that takes each packet as it is closed, and calls tband there. Argument: the call. Writes the packets that it
 * took. */
#include <string.h>

#include "check.h"
#include "fake_port.h"
#include "tband.h"

static const char *what;
static uint32_t inside; /* calls of the port that have not returned */

static bool is(const char *name) { return strcmp(what, name) == 0; }

static void call_tband(void) {
  CHECK_EQ(inside++, 0);
  if (is("marker")) {
    tband_valmarker(77, 1);
  } else if (is("flush")) {
    tband_flush();
    tband_keep_time();
  } else if (is("metadata")) {
    CHECK(fake_calls < 1000U);
    tband_request_metadata();
  } else if (is("take")) {
    size_t len;
    CHECK(tband_packet_take(&len) != NULL);
    tband_packet_done();
  } else if (is("marker, stop") && (fake_calls == 2U)) {
    tband_valmarker(77, 1);
  } else if (fake_calls == 3U) { /* the metadata, a packet of events, and this one */
    CHECK_EQ(tband_stop_streaming(), 0);
    if (is("restart")) {
      CHECK_EQ(tband_start_streaming(), -1);
    }
  }
  inside--;
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  what = argv[1];
  fake_now = 1000;
  fake_nests = true;
  fake_while_sending = &call_tband;
  CHECK_EQ(tband_start_streaming(), 0);
  const bool stops = is("stop") || is("restart") || is("marker, stop");
  for (int64_t value = 0; value < 40; value++) {
    fake_now += 10;
    tband_valmarker(1, value);
  }
  CHECK_EQ(tband_is_recording(), !stops);
  /* No later packet reports the events that are refused while this packet is taken. */
  tband_flush();
  fake_now += 10;
  CHECK_EQ(tband_stop_streaming(), stops ? -1 : 0);
  fake_print_sent();
  fprintf(stderr, "%u\n", (unsigned)tband_get_dropped_evt_cnt());
  return 0;
}
