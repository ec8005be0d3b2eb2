/* Common part of the backends that pass on each frame at once, to the port's stream or to your own function:
 * each core has a buffer in which a frame is built. Part of the shim. */
#if defined(TBAND_SHIM) && !defined(TBAND_BACKEND_STREAM_H)
#define TBAND_BACKEND_STREAM_H

/* Cores share one stream, so a core_id may go before any frame. */
#define TBAND_BACKEND_SHARES_STREAM 1

static uint8_t tband_frame_bufs[TBAND_CORES][TBAND_FRAME_BUF_SIZE(tband_configMAX_STR_LEN)];
#define TBAND_BACKEND_SETUP .event_bufs = &tband_frame_bufs[0][0],

#include "../tband_hand_out.h"

#endif /* TBAND_BACKEND_STREAM_H */
