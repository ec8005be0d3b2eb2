/* FreeRTOS on a PC, as a user of Tonbandgeraet has written it: interrupts are signals, and hooks run in them. */
#ifndef TBAND_PORT_H_
#define TBAND_PORT_H_

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint64_t platform_ts(void);
bool stream_data(const uint8_t *buf, size_t buf_len);

#define tband_portTIMESTAMP() platform_ts()
#define tband_portTIMESTAMP_RESOLUTION_NS (1)

#define tband_portENTER_CRITICAL_FROM_ANY()                                \
  sigset_t tband_port_all, tband_port_before;                              \
  sigfillset(&tband_port_all);                                             \
  pthread_sigmask(SIG_SETMASK, &tband_port_all, &tband_port_before)

#define tband_portEXIT_CRITICAL_FROM_ANY() pthread_sigmask(SIG_SETMASK, &tband_port_before, NULL)

#define tband_portNUMBER_OF_CORES (1)
#define tband_portGET_CORE_ID (0)

#define tband_portBACKEND_STREAM_DATA(buf, len) stream_data(buf, len)

#endif /* TBAND_PORT_H_ */
