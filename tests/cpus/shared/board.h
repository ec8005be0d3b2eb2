/* What each board of these tests has. */
#ifndef BOARD_H
#define BOARD_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* To the recording's file on the host; waits. */
void board_send(const void *data, size_t len);
/* To the emulator's log. */
void board_say(const char *text);
/* A space and the number. */
void board_say_number(uint32_t number);
_Noreturn void board_exit(int code);
/* Interrupts of the tick so far. */
extern volatile uint32_t board_ticks;
/* In the handler of the tick's interrupt, which has this number: records it, and calls the kernel. */
void board_tick(uint32_t number);
/* Without an RTOS, where the CPU's flags have APP_HAS_INTERRUPTS: interrupts that call board_tick(). */
void board_start_timer(void);
void board_stop_timer(void);
bool app_stream(const uint8_t *data, size_t len);
#if APP_MODE == APP_FRAMES
#define tband_portBACKEND_STREAM_DATA(buf, len) app_stream((buf), (len))
#endif
#endif
