/* What the programs of the classes share. One task, the driver, runs them one after the other and
 * creates the tasks that each needs; priorities alone say who runs when.
 *
 * Time is the program's own: the tick comes when nothing else is ready (from the idle task), or when
 * tick() is called, so that every run gives the same events and the program knows each tick count.
 * expect() writes down the next event of the class that the recording must have; it is called just
 * before what makes the event, or just after if the event has a result in it. */
#ifndef HARNESS_H_
#define HARNESS_H_

#include <stdbool.h>
#include <stdint.h>

#include "FreeRTOS.h"
#include "task.h"

enum {
  PRIORITY_LOW = 2,    /* runs while the driver waits */
  PRIORITY_DRIVER = 3,
  PRIORITY_HIGH = 4,   /* runs as soon as it can */
  /* the timer task: 5 */
  PRIORITY_TOP = 6,
};

/* In a snapshot on a microcontroller the big memory is another one. */
#if defined(__arm__)
#define HARNESS_BIG __attribute__((section(".psram")))
#else
#define HARNESS_BIG
#endif

/* One line of the log, an event without its time; each %u is a uint32_t, %s a string. */
void expect(const char *format, ...);
/* As expect(), of an event that the recording has among its metadata. */
void expect_metadata(const char *format, ...);

/* Ends the program with a message if what the kernel did is not what the program expects. */
#define CHECK(condition) ((condition) ? (void)0 : harness_failed(#condition, __FILE__, __LINE__))
_Noreturn void harness_failed(const char *what, const char *file, int line);

/* The kernel's next assertions are let pass, so many. */
void allow_assertions(unsigned count);
/* A task whose `mistake` the kernel's next assertion must stop; it ends there. */
void start_faulty_task(TaskFunction_t mistake);

/* A task without parameter; it ends by end_task(). */
TaskHandle_t start_task(TaskFunction_t code, UBaseType_t priority);
_Noreturn void end_task(void);
/* Numbers in the recording. */
uint32_t number_of(TaskHandle_t task);
uint32_t my_number(void);

/* The kernel's time, its low 32 bits. */
uint32_t now(void);
/* The kernel's tick interrupt, at once. */
void tick(void);
/* An interrupt, which has ended when this returns; `body` sets *woken as FromISR functions do. Within a
 * body: one that nests in it. */
typedef void (*interrupt_body)(BaseType_t *woken);
void interrupt(interrupt_body body);
/* The same, where the kernel asserts something the next time. */
void interrupt_at_assertion(interrupt_body body);
enum { ISR_OUTER = 36, ISR_INNER = 37 };
/* An interrupt whose handler has the kernel's macro at its end but not at its start, and the other way
 * round. */
void interrupt_without_enter(void);
void interrupt_without_exit(void);

/* Interrupts are the CPU's, and can wait; the kernel's tick handler is one of them. */
extern const bool interrupts_are_real;

/* Nothing can be allocated between these two. */
void exhaust_heap(void);
void release_heap(void);

static inline uint32_t low_bits(uintptr_t address) { return (uint32_t)address; }

/* --- Between harness.c and platform_*.c ------------------------------------------------------ */

void platform_start(void);
_Noreturn void platform_finish(const char *log, size_t len);
_Noreturn void platform_fail(const char *what, const char *file, int line);
/* Runs harness_interrupt_handler() as an interrupt. */
void platform_interrupt(bool nested);
void harness_interrupt_handler(void);

/* --- The programs ------------------------------------------------------------------------------ */

void class_api(void);
void class_event_group(void);
void class_heap(void);
void class_isr(void);
void class_low_power(void);
void class_notification(void);
void class_queue(void);
void class_queue_extra(void);
void class_scheduler_step(void);
void class_stack(void);
void class_stream_buffer(void);
void class_task(void);
void class_task_extra(void);
void class_tick(void);
void class_timer(void);

#endif /* HARNESS_H_ */
