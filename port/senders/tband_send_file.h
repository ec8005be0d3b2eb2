/* Writes packets to a file: of C's library and POSIX, or with tband_sendFATFS 1 of FatFs, on an SD card for example.
 *
 * Include it in the one C file that writes, after the file system's header:
 *
 *   #include <stdio.h>                   or "ff.h", with #define tband_sendFATFS 1
 *   #include "senders/tband_send_file.h"
 *
 *   f_open(&file, "trace.bin", FA_WRITE | FA_CREATE_ALWAYS);
 *   tband_start_streaming();
 *   while (recording && tband_send_file(&file)) {             in a task of low priority
 *     f_sync(&file);                                          a power cut loses data that is not synced
 *     vTaskDelay(pdMS_TO_TICKS(50));
 *   }
 *   tband_stop_streaming();
 *   tband_send_file(&file);
 *   f_close(&file);
 *
 * The rings have to hold the events of 100 to 250 ms, while the card erases: tband_configPACKET_COUNT. Events that do
 * not fit are counted. It saves a snapshot or a post-mortem recording as well: one call after it has stopped. */
#ifndef TBAND_SEND_FILE_H
#define TBAND_SEND_FILE_H

#include "tband_send.h"

/* 1: use the files of FatFs. */
#ifndef tband_sendFATFS
#define tband_sendFATFS 0
#endif

#if tband_sendFATFS
typedef FIL tband_file;

/* Returns how many bytes were written. */
static inline size_t tband_send_file_try(tband_file *file, const uint8_t *data, size_t len) {
  UINT written = 0;
  return (f_write(file, data, (UINT)len, &written) == FR_OK) ? written : 0U;
}
#else
typedef FILE tband_file;

static inline size_t tband_send_file_try(tband_file *file, const uint8_t *data, size_t len) {
  return fwrite(data, 1, len, file);
}
#endif

/** Call it for each new file, which then begins with a complete packet and contains the names. Not needed for the
 * first. Context: the one that writes. */
static inline void tband_send_file_begin(void) { tband_send_begin(); }

/** Writes the packets that are ready. Returns false if not all were written, because the medium is full or broken; the
 * next call continues with the rest. Context: one task, or the main loop, with no other consumer. It waits for the
 * medium. */
static inline bool tband_send_file(tband_file *file) {
  size_t len;
  const uint8_t *rest;
  while ((len = tband_send_rest(&rest)) != 0U) {
    if (!tband_send_took(tband_send_file_try(file, rest, len))) {
      return false;
    }
  }
  return true;
}

#endif /* TBAND_SEND_FILE_H */
