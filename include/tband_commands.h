/* What the host asks of the firmware: to start and stop, to say names again, to read and write memory, and whatever the
 * firmware has commands for. Pulled in by tband.h.
 *
 * The functions are in a file that you compile beside the shim: port/tband_commands.c. Bytes come in by the line that receives
 * them, an interrupt or a task, or a debug probe writes them into the memory; and one task, or the idle hook, obeys. Each
 * command is answered by an event `answer`, so by what sends the recording; while nothing is recorded there is no answer.
 * One that comes again, with the same number, is answered again and not obeyed again. Firmware that does not compile that
 * file has nothing of it. */
#ifndef TBAND_COMMANDS_H
#define TBAND_COMMANDS_H

#include "tband.h" /* does nothing unless this header was included by itself */

#if (tband_configENABLE != 0)

/** Takes `len` bytes that the host has sent. Returns true if there was no room for them: none was taken then. The
 * command that they are a part of is damaged then, and counted; one that they are all of is lost, and the host sends it again. Never waits. Context: one, an interrupt's or a task's; takes the time to copy
 * `len` bytes. */
bool tband_received(const uint8_t *bytes, size_t len);

/** Obeys one command, if one was received whole, and answers it. Returns true if there was one. Context: one task, the idle hook or the
 * main loop, never an interrupt. Looks at most at tband_configCOMMAND_BUF_SIZE bytes; a command itself takes as long as
 * what it calls, and a `fill` at most tband_configCOMMAND_MAX_FILL writes. */
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
