/* The snapshot backend: a buffer of each core is filled until one is full. Part of the shim. */
#if defined(TBAND_SHIM) && !defined(TBAND_BACKEND_SNAPSHOT_H)
#define TBAND_BACKEND_SNAPSHOT_H

#include "../tband_control.h"

/* Each core has a separate recording, and no frames are taken while it records. */
#define TBAND_BACKEND_SHARES_STREAM 0
#define TBAND_HANDS_OUT(core) false
#define TBAND_IS_HANDING_OUT() false

static uint8_t tband_snapshot_bufs[TBAND_CORES][tband_configBACKEND_SNAPSHOT_BUF_SIZE]
    tband_configSNAPSHOT_BUF_ATTRIBUTE;
#define TBAND_BACKEND_SETUP                  \
  .event_bufs = &tband_snapshot_bufs[0][0], \
  .snapshot_buf_size = tband_configBACKEND_SNAPSHOT_BUF_SIZE,

#ifdef tband_portBACKEND_SNAPSHOT_BUF_FULL_CALLBACK
void tband_lib_port_snapshot_full(void) {
  TBAND_FILTER_RESTS();
  tband_portBACKEND_SNAPSHOT_BUF_FULL_CALLBACK();
}
#define TBAND_HAS_PORT_SNAPSHOT_FULL 1
#endif

/* Without information about itself a recording starts byte for byte as Tonbandgeraet's. */
#if tband_configTRACE_INFO_ENABLE
#define TBAND_TRIGGER() tband_lib_snapshot_trigger(tband_core_index())
#else
#define TBAND_TRIGGER() tband_lib_snapshot_trigger_plain()
#endif

int tband_trigger_snapshot(void) { TBAND_START(TBAND_TRIGGER()); }

int tband_stop_snapshot(void) { TBAND_CONTROL(tband_lib_snapshot_stop()); }

int tband_reset_snapshot(void) { TBAND_CONTROL_FINISHED(tband_lib_snapshot_reset()); }

#endif /* TBAND_BACKEND_SNAPSHOT_H */
