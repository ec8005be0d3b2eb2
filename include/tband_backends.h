/* The backend: exactly one of these is 1. Part of tband_config_defaults.h.
 *
 * Generated from the list of backends by `cargo xtask header`; do not edit. */
#if defined(TBAND_CONFIG_DEFAULTS_H) && !defined(TBAND_BACKENDS_H)
#define TBAND_BACKENDS_H

#ifndef tband_configUSE_BACKEND_STREAMING
#define tband_configUSE_BACKEND_STREAMING 0
#endif
#ifndef tband_configUSE_BACKEND_SNAPSHOT
#define tband_configUSE_BACKEND_SNAPSHOT 0
#endif
#ifndef tband_configUSE_BACKEND_EXTERNAL
#define tband_configUSE_BACKEND_EXTERNAL 0
#endif
#ifndef tband_configUSE_BACKEND_POST_MORTEM
#define tband_configUSE_BACKEND_POST_MORTEM 0
#endif

/* How many are chosen. */
#define TBAND_BACKEND_COUNT \
  (tband_configUSE_BACKEND_STREAMING + \
   tband_configUSE_BACKEND_SNAPSHOT + \
   tband_configUSE_BACKEND_EXTERNAL + \
   tband_configUSE_BACKEND_POST_MORTEM)

/* Nothing starts it: it takes events at any time. */
#define TBAND_BACKEND_IS_ALWAYS_ON \
  (tband_configUSE_BACKEND_EXTERNAL)

#endif /* TBAND_BACKENDS_H */
