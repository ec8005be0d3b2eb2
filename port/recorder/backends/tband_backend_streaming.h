/* The streaming backend: each frame goes to tband_portBACKEND_STREAM_DATA while recording is on. Part of the shim. */
#if defined(TBAND_SHIM) && !defined(TBAND_BACKEND_STREAMING_H)
#define TBAND_BACKEND_STREAMING_H

#include "tband_backend_stream.h"
#include "../tband_control.h"

bool tband_lib_port_stream(const uint8_t *data, size_t len) {
  TBAND_HAND_OUT(tband_portBACKEND_STREAM_DATA(data, len));
}
#define TBAND_HAS_PORT_STREAM 1

/* Without information about itself a recording starts byte for byte as Tonbandgeraet's. */
#if tband_configTRACE_INFO_ENABLE
#define TBAND_START_STREAM(with_metadata) \
  tband_lib_streaming_start((uint64_t)(tband_portTIMESTAMP()), tband_core_index(), with_metadata)
#else
#define TBAND_START_STREAM(with_metadata) tband_lib_streaming_start_plain(tband_core_index(), with_metadata)
#endif

/* The frequency comes before the events, because the host cannot interpret anything without it; when a stream is
 * resumed it is an event. */
int tband_start_streaming(void) { TBAND_START_ALONE(TBAND_START_STREAM(true)); }

int tband_restart_streaming(void) { TBAND_START(TBAND_START_STREAM(false)); }

int tband_stop_streaming(void) { TBAND_CONTROL(tband_lib_streaming_stop()); }

#endif /* TBAND_BACKEND_STREAMING_H */
