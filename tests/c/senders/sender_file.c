/* Writes to the file that is the argument; to /dev/full first, which takes nothing. */
#include "sender.h"

#include "senders/tband_send_file.h"

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  start();
  record(1000);
  FILE *const full = fopen("/dev/full", "wb");
  CHECK(full != NULL);
  setbuf(full, NULL);
  CHECK(!tband_send_file(full));
  CHECK(!tband_send_file(full));
  (void)fclose(full);
  tband_send_file_begin();
  FILE *const file = fopen(argv[1], "wb");
  CHECK(file != NULL);
  for (uint32_t turn = 0; turn < 1000U; turn++) {
    record(any(60));
    tick();
    if (any(3) == 0U) {
      CHECK(tband_send_file(file));
    }
  }
  CHECK_EQ(tband_stop_streaming(), 0);
  CHECK(tband_send_file(file));
  CHECK(fclose(file) == 0);
  sender_ends();
  return 0;
}
