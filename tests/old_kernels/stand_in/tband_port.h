/* The fake port, for a program with the mock kernel. */
#ifdef STAND_IN_COUNTER_BITS /* its timer has so many, which are extended */
#include "../../c/fake_port/fake_port.h"
#include "tband_extend32.h"

static tband_extend32_state stand_in_state;
static inline uint64_t stand_in_time(void) {
  return tband_extend32(&stand_in_state, (uint32_t)fake_timestamp() << (32 - STAND_IN_COUNTER_BITS)) >>
         (32 - STAND_IN_COUNTER_BITS);
}
#define tband_portTIMESTAMP() stand_in_time()
#ifdef STAND_IN_ADDS_WRAPS
#define tband_portTIMESTAMP_ADD_WRAPS(wraps) tband_extend32_add_wraps(&stand_in_state, (wraps))
#define tband_portTIMESTAMP_WRAP_BITS STAND_IN_COUNTER_BITS
#endif
#ifdef STAND_IN_IS_RAW
#define tband_portTIMESTAMP_RAW() ((uint32_t)fake_timestamp())
#endif
#endif

#include "../../c/fake_port/tband_port.h"
