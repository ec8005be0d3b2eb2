/* The header of the chosen backend, and the names of its emitters. Part of tband_shim.c.
 *
 * Generated from the list of backends by `cargo xtask header`; do not edit. */
#if defined(TBAND_SHIM) && !defined(TBAND_BACKEND_H)
#define TBAND_BACKEND_H

#if tband_configUSE_BACKEND_STREAMING
#include "backends/tband_backend_streaming.h"
#define TBAND_BACKEND(function) tband_lib_streaming_##function
#elif tband_configUSE_BACKEND_SNAPSHOT
#include "backends/tband_backend_snapshot.h"
#define TBAND_BACKEND(function) tband_lib_snapshot_##function
#elif tband_configUSE_BACKEND_EXTERNAL
#include "backends/tband_backend_external.h"
#define TBAND_BACKEND(function) tband_lib_external_##function
#endif

#endif /* TBAND_BACKEND_H */
