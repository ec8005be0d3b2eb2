/* FatFs' interface, as far as the sender uses it, with a card that is full or gone at times. */
#include "sender.h"

typedef unsigned int UINT;
typedef enum { FR_OK = 0, FR_DISK_ERR } FRESULT;
typedef struct {
  uint8_t bytes[1 << 22];
  size_t count;
  uint32_t room; /* for so many more */
} FIL;

static FRESULT f_write(FIL *file, const void *data, UINT len, UINT *written) {
  CHECK(len <= 8192U);
#if tband_configUSE_BACKEND_POST_MORTEM
  const uint32_t what = 2;
#else
  const uint32_t what = any(20);
#endif
  if (what == 0U) {
    return FR_DISK_ERR;
  }
  *written = (what == 1U) ? any(len) : len; /* less: there is no more room */
  *written = (*written < file->room) ? *written : file->room;
  file->room -= *written;
  memcpy(&file->bytes[file->count], data, *written);
  file->count += *written;
  return FR_OK;
}

#define tband_sendFATFS 1
#include "senders/tband_send_file.h"

static FIL card;

#if tband_configUSE_BACKEND_POST_MORTEM
/* A recording that was written in part makes place for another, whose first packet is shorter. */
static void restart(void) {
  CHECK_EQ(tband_start_post_mortem(), 0);
  record(1000);
  CHECK_EQ(tband_freeze(), 0);
  card.room = 400;
  CHECK(!tband_send_file(&card));
  CHECK_EQ(card.count, 400);
  CHECK_EQ(tband_start_post_mortem(), 0);
  sender_recorded = 0;
  record(2);
  CHECK_EQ(tband_freeze(), 0);
  card.room = UINT32_MAX;
  card.count = 0;
  CHECK(tband_send_file(&card));
  fake_print(card.bytes, card.count);
  sender_ends();
}
#endif

int main(void) {
  card.room = UINT32_MAX;
#if tband_configUSE_BACKEND_POST_MORTEM
  restart();
#else
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
#endif
  return 0;
}
