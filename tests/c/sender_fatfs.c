/* FatFs' interface, as far as the sender uses it, with a card that is full or gone at times. */
#include "sender.h"

typedef unsigned int UINT;
typedef enum { FR_OK = 0, FR_DISK_ERR } FRESULT;
typedef struct {
  uint8_t bytes[1 << 22];
  size_t count;
} FIL;

static FRESULT f_write(FIL *file, const void *data, UINT len, UINT *written) {
  const uint32_t what = any(20);
  if (what == 0U) {
    return FR_DISK_ERR;
  }
  *written = (what == 1U) ? any(len) : len; /* less: there is no more room */
  memcpy(&file->bytes[file->count], data, *written);
  file->count += *written;
  return FR_OK;
}

#define tband_sendFATFS 1
#include "senders/tband_send_file.h"

static FIL card;

int main(void) {
  uint32_t fails = 0;
  start();
  for (uint32_t turn = 0; turn < 3000U; turn++) {
    record(any(60));
    tick();
    if (turn % 100U >= 40U) { /* then the card was erasing */
      fails += tband_send_file(&card) ? 0U : 1U;
    }
  }
  CHECK(fails > 20U);
  CHECK_EQ(tband_stop_streaming(), 0);
  while (!tband_send_file(&card)) {
  }
  fake_print(card.bytes, card.count);
  sender_ends();
  return 0;
}
