#include <stdint.h>
#ifdef __arm__ /* whose int32_t is long */
#define PRId32 "ld"
#define PRIu32 "lu"
#else
#define PRId32 "d"
#define PRIu32 "u"
#endif
