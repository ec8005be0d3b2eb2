/* The fake port, for a program that brings the stand-in kernel. */
#ifdef STAND_IN_COUNTER32 /* its timer has 32 bits */
#include "../../c/fake_port/fake_port.h"
#include "tband_extend32.h"

static inline uint64_t stand_in_time(void) {
  static tband_extend32_state state;
  return tband_extend32(&state, (uint32_t)fake_timestamp());
}
#define tband_portTIMESTAMP() stand_in_time()
#endif

#include "../../c/fake_port/tband_port.h"
