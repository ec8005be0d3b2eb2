/* Common declarations of the sensor pipeline. */
#ifndef PIPELINE_H_
#define PIPELINE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"

/* Periods and moments, in ticks of 1 ms. */
enum {
  SAMPLE_EVERY = 2,
  CONTROL_EVERY = 5,
  SEND_EVERY = 20,
  SEND_AT = 6,       /* the radio's first transmission; later ones each SEND_EVERY */
  SAVE_AT = 303,     /* the logger saves its settings: control wants the bus 2 ticks later, the radio sends in 3 */
  RUN_FOR = 600,
};

/* Ids of interrupts and markers. */
enum { ISR_TICK = 1, ISR_ADC = 2 };
enum { EVT_SAVE = 1 };
enum { VAL_TEMPERATURE = 1 };

/* tasks.c */
void pipeline_create(void);
void adc_isr(void);
/* The inversion and the stack that is used up have been. */
bool pipeline_has_shown_all(void);

/* machine.c: what hardware does elsewhere */
void name_interrupts(void);
/* Keeps the processor busy for at least this time, not counting the work of other tasks in between. */
void work_us(uint32_t us);
/* Makes the calling task's stack look used except for `left_bytes` bytes. */
void use_stack_but(StackType_t *stack, size_t words, size_t left_bytes);

#endif /* PIPELINE_H_ */
