/* The world of a test program: a timer, a core number and a transport that the program sets, and
 * checks that the library uses them as the porting guide promises. */
#ifndef FAKE_PORT_H
#define FAKE_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern uint64_t fake_now;  /* the timer's value */
extern uint64_t fake_step; /* how far each reading advances it */
extern uint32_t fake_hz;   /* its frequency, for ports that read it */
extern uint32_t fake_core; /* the core that runs */

extern bool fake_refuses;      /* the transport takes nothing */
extern uint32_t fake_refuses_for; /* as many pieces, from the next one on */
extern uint32_t fake_calls;    /* times the transport was called */
extern uint32_t fake_refused;  /* times it refused */
extern bool fake_nests;          /* critical sections may nest, as ports of several cores let them */
extern void (*fake_while_sending)(void); /* called by the transport, if set */
extern uint32_t fake_fulls;    /* times a snapshot buffer was full */

/* Called before the next critical section, before or after the timer is read the next time, or before the next lock
 * between cores, then no more. */
extern void (*fake_before_enter)(void);
extern void (*fake_at_timestamp)(void);
extern void (*fake_after_timestamp)(void);
extern void (*fake_before_lock)(void);

/* The lock between cores, in place of the library's. */
void fake_lock(void);
void fake_unlock(void);

/* A timer that has to be started: its value is 0 until then. */
extern uint32_t fake_starts; /* times it was started */
void fake_start_timer(void);
uint64_t fake_started_timestamp(void);

/* A counter of so many bits that follows the timer, extended to 64 bits by software or not; and its lower 32 bits. */
uint64_t fake_counter(unsigned bits, bool is_extended);

uint64_t fake_timestamp(void);
int fake_enter(void);
void fake_exit(int before);
uint32_t fake_core_id(void);
bool fake_send(const uint8_t *data, size_t len);
void fake_snapshot_full(void);

/* Writes what the transport took, or any bytes, to stdout. */
void fake_print_sent(void);
void fake_forget_sent(void);
size_t fake_sent_len(void);
void fake_print(const volatile uint8_t *data, size_t len);

/* A copy of `len` bytes of `text`, without NUL, that ends where readable memory ends. */
const char *fake_at_edge(const char *text, size_t len);

#endif
