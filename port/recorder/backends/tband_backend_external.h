/* The external backend: each frame goes to tband_submit_to_backend, always. Part of the shim. */
#if defined(TBAND_SHIM) && !defined(TBAND_BACKEND_EXTERNAL_H)
#define TBAND_BACKEND_EXTERNAL_H

#include "tband_backend_stream.h"

/* The frame is in a buffer of the shim, so the user may write to it as its type allows. */
bool tband_lib_port_submit(const uint8_t *data, size_t len, bool is_metadata) {
  TBAND_HAND_OUT(tband_submit_to_backend((uint8_t *)(uintptr_t)data, len, is_metadata));
}
#define TBAND_HAS_PORT_SUBMIT 1

/* Other backends send this at their start. This one is not started, so the application decides when
 * to send it. */
#define TBAND_BACKEND_TELL_SYSTEM(now, core) tband_lib_external_send_trace_info((now), (core))

#endif /* TBAND_BACKEND_EXTERNAL_H */
