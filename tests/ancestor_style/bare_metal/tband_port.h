/* A port that a user of Tonbandgeraet has written: nothing here knows of its successor. */
#ifndef TBAND_PORT_H_
#define TBAND_PORT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint64_t platform_ts(void);
bool platform_in_irq(void);
unsigned platform_mask(void);
void platform_unmask(unsigned key);
bool stream_data(const uint8_t *buf, size_t buf_len);

#define tband_portTIMESTAMP() platform_ts()
#define tband_portTIMESTAMP_RESOLUTION_NS (100)

#define tband_portENTER_CRITICAL_FROM_ANY()    \
  bool tband_port_in_irq = platform_in_irq();  \
  unsigned tband_port_key = 0;                 \
  if (!tband_port_in_irq) {                    \
    tband_port_key = platform_mask();          \
  }

#define tband_portEXIT_CRITICAL_FROM_ANY() \
  if (!tband_port_in_irq) {                \
    platform_unmask(tband_port_key);       \
  }

#define tband_portNUMBER_OF_CORES (1)
#define tband_portGET_CORE_ID() (0)

#define tband_portBACKEND_STREAM_DATA(buf, len) stream_data(buf, len)

#endif /* TBAND_PORT_H_ */
