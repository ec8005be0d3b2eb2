/* The format of frames: how the shim writes an event with the emitters of the chosen backend. Part of the shim. */
#if defined(TBAND_SHIM) && !defined(TBAND_FRAMES_H)
#define TBAND_FRAMES_H

typedef uint64_t tband_time;

/* Metadata has no time; in some recordings an event with a time may precede it. */
#if !TBAND_BACKEND_SHARES_STREAM && tband_configTRACE_INFO_ENABLE
#define TBAND_TIME_OF(is_metadata) ((is_metadata) ? 0U : (uint64_t)(tband_portTIMESTAMP()))
#else
#define TBAND_TIME_OF(is_metadata) ((uint64_t)(tband_portTIMESTAMP()))
#endif

/* Extended counters must be read once per wrap. */
#define TBAND_KEEP_TIME() ((void)(tband_portTIMESTAMP()))

#define TBAND_REFUSE(core, is_metadata) tband_lib_core_refuse((core), (is_metadata))

/* Opens the frame of an event of at most `max_len` bytes; closing it writes the fields. The two calls are made one
 * after the other, because a call within a call needs more stack. */
#define TBAND_OPEN(id, max_len) \
  TBAND_BACKEND(open)((id) | ((uint32_t)(max_len) << 8), tband_core, tband_now)

#define TBAND_WRITE_U32(id, first) \
  TBAND_BACKEND(close_u32)(TBAND_OPEN(id, TBAND_FRAME_LEN_U32), tband_core, first)
#define TBAND_WRITE_U32_U32(id, first, second) \
  TBAND_BACKEND(close_u32_u32)(TBAND_OPEN(id, TBAND_FRAME_LEN_U32_U32), tband_core, first, second)
#define TBAND_WRITE_U32_S64(id, first, value) \
  TBAND_BACKEND(close_u32_s64)(TBAND_OPEN(id, TBAND_FRAME_LEN_U32_S64), value, first, tband_core)
#define TBAND_WRITE_ANSWER(first, value) TBAND_WRITE_U32_S64(TBAND_EVT_U32_S64_ANSWER, (first), (value))
#define TBAND_WRITE_U32_STR(id, first, text)                                                         \
  TBAND_BACKEND(close_u32_str)(TBAND_OPEN(id, TBAND_FRAME_BUF_SIZE(tband_configMAX_STR_LEN)), \
                               tband_core, first, text)
#define TBAND_WRITE_NUMBERS(id, count, numbers) \
  TBAND_BACKEND(close_numbers)(TBAND_OPEN(id, TBAND_FRAME_LEN_NUMBERS), tband_core, numbers, count)
#define TBAND_WRITE_METADATA(event, live) tband_send((event), (live), tband_core, tband_now)

/* Sends an event. In Tonbandgeraet's recordings metadata counts for the periodic count of dropped events, which may
 * go before it; in others that waits for an event with a timestamp. */
TBAND_INLINE void tband_send(tband_metadata *event, bool live, tband_core_state *core, uint64_t now) {
  (void)now;
#if tband_configTRACE_INFO_ENABLE
  if (live) {
    /* A name that is lost is missing in the recording, and counts. What describes an event is the recorder's own. */
#if TBAND_COUNTS_LOST
    const uint32_t lost = TBAND_LOST(core);
    TBAND_BACKEND(send_metadata)(core, event, now);
    if ((event->head & 0xFFU) == TBAND_EVT_META_U8_U8_STR_EVENT_SCHEMA) {
      TBAND_LOST(core) = lost;
    }
#else
    TBAND_BACKEND(send_metadata)(core, event, now);
#endif
  }
#else
  if (live && TBAND_BACKEND(may_send_metadata)(core, now)) {
    TBAND_BACKEND(send_metadata)(core, event, now);
  } else if (TBAND_COUNTS_UNRECORDED && !tband_is_recording()) {
    tband_lib_core_pass(core);
  }
#endif
}

#include "../triggers/tband_trigger.h"

#endif /* TBAND_FRAMES_H */
