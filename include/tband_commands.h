/* Commands from the host: start and stop recording, repeat the names, read and write memory, and call the firmware's
 * own commands. Included by tband.h.
 *
 * The functions are in port/tband_commands.c, which you compile together with the shim. The bytes arrive through the
 * interrupt or task that receives from the line, or a debug probe writes them into memory. One task, or the idle hook,
 * executes the commands. The answer to a command is an event `answer` in the recording, so without a recording there is
 * no answer. A repeated command, which has the same number, is answered again but not executed again. Firmware that
 * does not compile that file contains none of this. */
#ifndef TBAND_COMMANDS_H
#define TBAND_COMMANDS_H

#include "tband.h" /* has no effect unless this header was included directly */

#if (tband_configENABLE != 0)

/** Takes `len` bytes received from the host. Returns true if they did not fit; then none was taken. If they
 * were part of a command, that command is damaged and counted. If they were a complete command, it is lost, and the
 * host sends it again. Never waits. Context: one interrupt or one task. Takes the time to copy `len` bytes. */
bool tband_received(const uint8_t *bytes, size_t len);

/** Executes one command, if a complete one was received, and answers it. Returns true if there was one. Context: one
 * task, the idle hook or the main loop, never an interrupt. Inspects at most tband_configCOMMAND_BUF_SIZE bytes. The
 * command itself takes as long as the functions it calls; a `fill` takes at most tband_configCOMMAND_MAX_FILL
 * writes. */
bool tband_obey(void);

/* In the shim: the down-buffer of RTT; NULL: the firmware's control block has none. */
#if tband_configUSE_RTT
tband_rtt_buffer *tband_rtt_down(void);
#endif

#else

TBAND_INLINE bool tband_received(const uint8_t *bytes, size_t len) {
  (void)bytes;
  (void)len;
  return false;
}
TBAND_INLINE bool tband_obey(void) { return false; }

#endif

#endif /* TBAND_COMMANDS_H */
