/* tband port: a template. Fill in every line marked TODO.
 *
 * Included only by a C file of the library, so it may include anything and may define static functions. Functions that
 * it declares have C linkage: in C++ define them as extern "C". docs/src/guide/firmware/porting.md explains each
 * macro. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* TODO: a timer that counts up and never steps back, shared by all cores. Called inside the critical section, from any
 * context. It must keep running while the core sleeps, or times are too short. A 32-bit timer: see tband_extend32.h. */
uint64_t my_timer_ticks(void);
#define tband_portTIMESTAMP() my_timer_ticks()

/* TODO: timer ticks per second: a number, or a variable of up to 32 bits such as SystemCoreClock. A wrong value makes
 * every time wrong, so it has no default. */
#ifndef tband_portTIMESTAMP_FREQUENCY_HZ
#error "tband: how fast does your timer count? In tband_port.h, put in place of this #error:"
#error "    #define tband_portTIMESTAMP_FREQUENCY_HZ 64000000   /* timer ticks per second */"
#define tband_portTIMESTAMP_FREQUENCY_HZ 1 /* prevents errors that follow from this one */
#endif

/* TODO: no code that records may interrupt the code between these two. They are in one block, in any context, perhaps
 * inside a critical section of the RTOS. ENTER may declare variables for EXIT. */
uint32_t my_disable_interrupts(void);
void my_restore_interrupts(uint32_t state);
#define tband_portENTER_CRITICAL_FROM_ANY() \
  const uint32_t tband_port_state = my_disable_interrupts()
#define tband_portEXIT_CRITICAL_FROM_ANY() my_restore_interrupts(tband_port_state)

/* TODO: with several cores, their number and which one this is, 0 to number - 1. */
#define tband_portNUMBER_OF_CORES 1
#define tband_portGET_CORE_ID() 0

/* Packets are taken where you send them, with tband_packet_take() or tband_stream_read(): nothing is needed here. TODO,
 * streaming backend with frames: take all `len` bytes or none. true: not taken, counts as dropped. Inside the
 * critical section, so it must not wait, nor call tband or a kernel function that may wake a task. `buf`
 * is valid during the call only. */
#if !defined(TBAND_USES_PACKETS) || !TBAND_USES_PACKETS
bool my_send(const uint8_t *buf, size_t len);
#define tband_portBACKEND_STREAM_DATA(buf, len) my_send((buf), (len))
#endif

/* Optional: starts the timer, if nothing else does. Called in the critical section before the first
 * timestamp, at each start of a recording: harmless if the timer runs.
 * #define tband_portTIMESTAMP_RAW() my_timer_register   the lower 32 bits of the timestamp, for packets: one load
 * #define tband_portTIMESTAMP_START() my_timer_start()
 *
 * Optional, snapshot backend: recording has stopped because a buffer is full. Inside the critical
 * section; must not call tband.
 * #define tband_portBACKEND_SNAPSHOT_BUF_FULL_CALLBACK() my_flag = true
 *
 * Only on chips without compare-and-swap and with several cores (RP2040): a lock between the cores.
 * #define tband_portSPIN_LOCK() ...
 * #define tband_portSPIN_UNLOCK() ... */

#endif /* TBAND_PORT_H */
