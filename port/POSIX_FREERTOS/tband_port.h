/*
 * tband port for the FreeRTOS POSIX port (one pthread a task, the tick is a
 * signal). Included by the tband shim only; the program
 * adds tband_port.c to its sources, because the state lives there.
 *
 * Everything here runs in tasks, in signal handlers and inside kernel critical
 * sections. Invariant: EXIT restores exactly the signal mask ENTER found.
 */
#ifndef TBAND_PORT_H_
#define TBAND_PORT_H_

#include <stdint.h>

#include "tband_posix.h"

/* --- Timer: CLOCK_MONOTONIC, in nanoseconds since the first call ---------- */

#define tband_portTIMESTAMP()            tband_posix_timestamp()
#define tband_portTIMESTAMP_FREQUENCY_HZ 1000000000

/* --- Critical section: block every signal of the calling thread ----------- */
/* The saved mask is a local of the function that enters, so sections nest.   */

#define tband_portENTER_CRITICAL_FROM_ANY()       \
  struct tband_posix_sigmask tband_saved_sigmask_; \
  tband_posix_block_signals(&tband_saved_sigmask_)

#define tband_portEXIT_CRITICAL_FROM_ANY() tband_posix_restore_signals(&tband_saved_sigmask_)

/* --- Cores: the kernel simulates one --------------------------------------- */

#define tband_portNUMBER_OF_CORES  1
#define tband_portGET_CORE_ID()    0

/* --- Transport -------------------------------------------------------------- */

#define tband_portBACKEND_STREAM_DATA(buf, len)         tband_posix_stream_data((buf), (len))
#define tband_portBACKEND_SNAPSHOT_BUF_FULL_CALLBACK()  tband_posix_note_snapshot_full()

#endif /* TBAND_PORT_H_ */
