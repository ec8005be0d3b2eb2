/* A port as a user of Tonbandgeraet has it: critical sections that declare variables and hold
 * branches, a core id without parentheses, definitions in function form. */
#ifndef TBAND_PORT_H_
#define TBAND_PORT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "FreeRTOS.h"
#include "task.h"

uint64_t platform_ts(void);
#define tband_portTIMESTAMP() platform_ts()

/* One tick is 10 ns. */
#define tband_portTIMESTAMP_RESOLUTION_NS (10)

#define tband_portENTER_CRITICAL_FROM_ANY()             \
  bool tband_port_in_irq = xPortIsInsideInterrupt();    \
  BaseType_t tband_port_key = 0;                        \
  if (tband_port_in_irq) {                              \
    tband_port_key = taskENTER_CRITICAL_FROM_ISR();     \
  } else {                                              \
    taskENTER_CRITICAL();                               \
    (void)tband_port_key;                               \
  }

#define tband_portEXIT_CRITICAL_FROM_ANY()      \
  if (tband_port_in_irq) {                      \
    taskEXIT_CRITICAL_FROM_ISR(tband_port_key); \
  } else {                                      \
    taskEXIT_CRITICAL();                        \
  }

#define tband_portNUMBER_OF_CORES (1)
#define tband_portGET_CORE_ID (0)

bool stream_data(const uint8_t *buf, size_t buf_len);
#define tband_portBACKEND_STREAM_DATA(buf, len) stream_data(buf, len)

extern volatile bool snapshot_full;
#define tband_portBACKEND_SNAPSHOT_BUF_FULL_CALLBACK() snapshot_full = true

#endif
