/* How this firmware buffers its recording, as bits of the flags of `trace_info`, from bit 20. Part of tband_shim.c. A
 * constant: takes no code.
 *
 * tband-format/src/classes/buffers.rs defines the bits; a test compares them. */
#ifndef TBAND_BUFFERS_H
#define TBAND_BUFFERS_H

#include "tband.h"

#if tband_configUSE_BACKEND_STREAMING
#define TBAND_BACKEND_NUMBER 1U
#elif tband_configUSE_BACKEND_SNAPSHOT
#define TBAND_BACKEND_NUMBER 2U
#elif tband_configUSE_BACKEND_EXTERNAL
#define TBAND_BACKEND_NUMBER 3U
#else
#define TBAND_BACKEND_NUMBER 4U
#endif

#if TBAND_USES_PACKETS
#define TBAND_UNIT ((uint32_t)(tband_configPACKET_SIZE))
#define TBAND_UNITS ((uint32_t)(tband_configPACKET_COUNT))
#elif tband_configUSE_BACKEND_SNAPSHOT
/* The largest power of two that divides it, up to the largest that can be stated. */
#define TBAND_SNAPSHOT_SIZE ((uint32_t)(tband_configBACKEND_SNAPSHOT_BUF_SIZE))
#define TBAND_UNIT ((TBAND_SNAPSHOT_SIZE | (1UL << 20)) & (0U - (TBAND_SNAPSHOT_SIZE | (1UL << 20))))
#define TBAND_UNITS (TBAND_SNAPSHOT_SIZE / TBAND_UNIT)
#else
#define TBAND_UNIT 0U
#define TBAND_UNITS 0U
#endif

/* 0 for 32 bytes, 15 for 1 MiB; packets of other sizes than powers of two are not stated. */
#define TBAND_HAS(power) ((TBAND_UNIT > (16UL << (power))) ? 1U : 0U)
#define TBAND_POWER                                                                                     \
  (TBAND_HAS(1) + TBAND_HAS(2) + TBAND_HAS(3) + TBAND_HAS(4) + TBAND_HAS(5) + TBAND_HAS(6) +            \
   TBAND_HAS(7) + TBAND_HAS(8) + TBAND_HAS(9) + TBAND_HAS(10) + TBAND_HAS(11) + TBAND_HAS(12) +         \
   TBAND_HAS(13) + TBAND_HAS(14) + TBAND_HAS(15))
#define TBAND_IS_STATED ((TBAND_UNITS < 32U) && (TBAND_UNIT == (32UL << TBAND_POWER)))

#define TBAND_BUFFERS                                                                                   \
  ((TBAND_BACKEND_NUMBER | (TBAND_IS_STATED ? ((TBAND_UNITS << 3) | (TBAND_POWER << 8)) : 0U)) << 20)

#endif
